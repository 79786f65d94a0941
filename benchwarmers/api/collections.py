"""The collections with what they are made of, and how one is made, changed and removed."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.collections.misfits import LONG_CONTEXT, SUGGESTED
from benchwarmers.operations.collections.shelf import places_of
from benchwarmers.sight import visible_collections
from collections_app.actions.collection import SHAPES, TOPIC, do_remove_collection, do_save_collection
from collections_app.actions.seats import members_of
from collections_app.actions.setting import TOPIC as SETTINGS
from collections_app.actions.setting import do_save_settings
from collections_app.models import Collection, LanguageModel, Setting
from gateway.api.listing import CAPABILITIES, together_of
from gateway.canon.kinds import SHAPE_ROLES, ModelRole
from gateway.canon.names import PREFIX
from gateway.engine.loading import load_collections, load_models
from gateway.engine.snapshot import CollectionView as View
from gateway.engine.snapshot import ModelView

SEES_MODELS: Final = "collections_app.view_languagemodel"
KEPT: Final = (
    *("shape", "reply", "description", "tags", "ranking", "cooldown", "on_disconnect", "shadow", "max_explorers"),
)


class Wanted(Struct):
    """A collection as it is to be; what is left out of one that there is stays. `name` may carry `bench/`, an empty
    `shape` is decided per request, an empty `merger` chosen at run time."""

    name: str
    members: list[str] | UnsetType = UNSET
    shape: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    tags: list[str] | str | UnsetType = UNSET
    reply: str | UnsetType = UNSET
    merger: str | UnsetType = UNSET
    ranking: str | UnsetType = UNSET
    cooldown: str | UnsetType = UNSET
    on_disconnect: str | UnsetType = UNSET
    shadow: dict[str, Any] | UnsetType = UNSET
    max_explorers: int | UnsetType | None = UNSET
    team: str | UnsetType = UNSET


class Named(Struct):
    """One collection."""

    name: str


class Limits(Struct):
    """How many models one request asks at most, and how many of them explore."""

    max_calls: int | None = None
    max_explorers: int | None = None


class CollectionsView(ApiView):
    """GET /api/collections."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Those that the person sees, and what new ones can be made of."""
        seen, setting = visible_collections(self.person), Setting.load()
        views = sorted(load_collections(seen), key=lambda view: view.name)
        teams = dict(seen.values_list("name", "team__name"))
        models = load_models(LanguageModel.objects.filter(retired_at=None))
        shown = models if self.person.has_perm(SEES_MODELS) else {}
        chats = {alias: one for alias, one in shown.items() if one.role != ModelRole.DECISION}
        used = dict.fromkeys(tag for view in views for tag in view.tags)
        return self.done(
            collections=[_row(view, models, setting, teams.get(view.name) or "") for view in views],
            settings={"max_calls": setting.max_calls, "max_explorers": setting.max_explorers},
            shapes=list(SHAPES),
            models=sorted(chats, key=str.casefold),
            served={alias: one.served for alias, one in chats.items()},
            tag_suggestions=list(dict.fromkeys([*SUGGESTED, *used])),
            facts={alias: _facts(one) for alias, one in chats.items()},
            shape_roles={shape.value: sorted(roles) for shape, roles in SHAPE_ROLES.items()},
            long_context=LONG_CONTEXT,
        )


class CollectionView(ApiView):
    """POST /api/collection."""

    @takes(Wanted)
    def post(self, said: Wanted) -> Response:
        """Make it, or change what is named."""
        given = {field: value for field in Wanted.__struct_fields__ if (value := getattr(said, field)) is not UNSET}
        with self.changes(TOPIC) as changed:
            bare = said.name.strip().removeprefix(PREFIX)
            row = Collection.objects.filter(name=bare).select_related("merger", "team").first()
            kept = _as_it_is(row) if row else {"members": []}
            saved = do_save_collection(actor=self.person, **(kept | given))
        return self.done(name=saved.name, made=row is None, members=members_of(saved), changed=changed)


class RemoveView(ApiView):
    """POST /api/collection/remove."""

    @takes(Named)
    def post(self, said: Named) -> Response:
        """Remove it and its aliases; what was asked of it stays on record."""
        with self.changes(TOPIC) as changed:
            do_remove_collection(actor=self.person, name=said.name.strip())
        return self.done(name=said.name.strip().removeprefix(PREFIX), changed=changed)


class SettingsView(ApiView):
    """POST /api/gateway-settings."""

    @takes(Limits)
    def post(self, said: Limits) -> Response:
        """Change the limits of panels that are named."""
        with self.changes(SETTINGS) as changed:
            row = do_save_settings(actor=self.person, max_calls=said.max_calls, max_explorers=said.max_explorers)
        return self.done(settings={"max_calls": row.max_calls, "max_explorers": row.max_explorers}, changed=changed)


def _as_it_is(row: Collection) -> dict[str, Any]:
    """All that saving takes, as it stands."""
    return {
        **{field: getattr(row, field) for field in KEPT},
        "members": members_of(row),
        "merger": row.merger.alias if row.merger else "",
        "team": row.team.name if row.team else "",
    }


def _row(view: View, models: dict[str, ModelView], setting: Setting, team: str) -> dict[str, Any]:
    together = together_of([models[alias] for alias in view.members if alias in models])
    return {
        **{"name": view.name, "description": view.description, "tags": view.tags, "members": view.members},
        **{"shape": view.shape, "explorers": places_of(view, setting), "reply": view.reply, "merger": view.merger},
        **{"together": {field: getattr(together, field) for field in together.__struct_fields__}, "team": team},
        **{"ranking": view.ranking, "cooldown": view.cooldown, "on_disconnect": view.on_disconnect},
        "max_explorers": view.max_explorers,
    }


def _facts(one: ModelView) -> dict[str, Any]:
    """`price` is USD per million tokens by axis, empty where nobody knows."""
    return {
        "caps": [name for name in CAPABILITIES if getattr(one, name) is True],
        "context": one.context_window,
        "price": one.prices,
        "role": one.role,
    }

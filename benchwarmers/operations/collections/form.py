"""The form of a collection: what a person types, read into what the action and the preview take. A refusal of the
action comes back at the field that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from collections_app.actions.collection import MOST_DAILY, SHAPES
from collections_app.actions.seats import members_of
from collections_app.models import Collection
from collections_app.refusal import Refused
from gateway.canon.kinds import ReplyKind
from gateway.canon.names import PREFIX
from gateway.engine.snapshot import CollectionView

REPLIES: Final = (
    (ReplyKind.ALL.value, gettext_lazy("All answers")),
    (ReplyKind.MERGED.value, gettext_lazy("One merged answer")),
    (ReplyKind.ROUTE.value, gettext_lazy("One member, for agents")),
    (ReplyKind.CHOICES.value, gettext_lazy("One choice a seat")),
)
RANKINGS: Final = (
    ("record", gettext_lazy("By record: most useful verdicts first")),
    ("bayes", gettext_lazy("By belief: drawn from what is known of each")),
)
COOLDOWNS: Final = (
    ("substitute", gettext_lazy("Let the next one sit")),
    ("ask", gettext_lazy("Ask it all the same")),
)
DISCONNECTS: Final = (
    ("finish", gettext_lazy("Finish and record")),
    ("cancel", gettext_lazy("Cancel the seats")),
)
SHADOWS: Final = (("members", gettext_lazy("Other members")), ("explorers", gettext_lazy("Explorers")))
EXPLORERS: Final = (("", gettext_lazy("As in the settings")), ("0", "0"), ("1", "1"), ("2", "2"))
PAGES: Final = frozenset({"new"})
"""Words that stand in the place of a name in addresses."""
AT: Final = {"shadow": "shadow_share"}
"""Where a reason is shown that is about no field of the form."""
MORE: Final = ("ranking", "cooldown", "on_disconnect", "max_explorers", "shadow_share", "shadow_who", "shadow_daily")
"""What few need."""


class CollectionForm(forms.Form):
    """For a new collection, or with `row` for that one. `members` and `tags` come as lists."""

    name = forms.CharField(max_length=64)
    description = forms.CharField(required=False, max_length=2_000)
    tags = forms.Field(required=False, widget=forms.MultipleHiddenInput())
    members = forms.Field(required=False, widget=forms.MultipleHiddenInput())
    shape = forms.ChoiceField(
        required=False, choices=[("", gettext_lazy("Told by each request")), *((s, s) for s in SHAPES)]
    )
    reply = forms.ChoiceField(required=False, choices=REPLIES)
    merger = forms.CharField(required=False, max_length=64)
    ranking = forms.ChoiceField(required=False, choices=RANKINGS)
    cooldown = forms.ChoiceField(required=False, choices=COOLDOWNS)
    on_disconnect = forms.ChoiceField(required=False, choices=DISCONNECTS)
    max_explorers = forms.TypedChoiceField(required=False, choices=EXPLORERS, coerce=int, empty_value=None)
    shadow_share = forms.FloatField(required=False, min_value=0, max_value=100)
    shadow_who = forms.ChoiceField(required=False, choices=SHADOWS)
    shadow_daily = forms.IntegerField(required=False, min_value=0, max_value=MOST_DAILY)
    team = forms.CharField(required=False, max_length=64)

    def __init__(
        self, data: QueryDict | None = None, *, row: Collection | None = None, like: Collection | None = None
    ) -> None:
        self.row = row
        shown = row or like
        super().__init__(taken(data) if data is not None else None, initial=fill(shown) if shown else {})
        if row is not None:
            del self.fields["name"]

    @property
    def seats(self) -> list[str]:
        """The aliases of the members as they stand in the form."""
        return list(self["members"].value() or [])

    @property
    def words(self) -> list[str]:
        """The tags as they stand in the form."""
        return list(self["tags"].value() or [])

    @property
    def opens_more(self) -> bool:
        """Whether something but the usual stands in the fields that few need."""
        usual = {"ranking": "record", "cooldown": "substitute", "on_disconnect": "finish", "shadow_who": "members"}
        return any(
            self[name].errors or self[name].value() not in (None, "", usual.get(name)) for name in (*MORE, "team")
        )

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip().removeprefix(PREFIX)
        if name in PAGES:
            raise forms.ValidationError(_("The page of a collection called “%s” would be another.") % name)
        if Collection.objects.filter(name=name).exists():
            raise forms.ValidationError(_("There is a collection %s already.") % f"{PREFIX}{name}")
        return name

    def values(self) -> dict[str, Any]:
        """What the action takes, apart from the actor. Of a valid form."""
        clean = dict(self.cleaned_data)
        share, who, daily = (clean.pop(name) for name in ("shadow_share", "shadow_who", "shadow_daily"))
        shadow = {"share": None if share is None else share / 100, "daily": daily}
        told = {name: value for name, value in shadow.items() if value is not None}
        return {
            **clean,
            "name": self.row.name if self.row else clean["name"],
            "members": self.seats,
            "tags": self.words,
            "shadow": told | ({"who": who} if told and who else {}),
        }

    def view(self) -> CollectionView:
        """The collection as it would be, also where something is wrong with it."""
        own = self.row
        most = str(self["max_explorers"].value() if self["max_explorers"].value() is not None else "")
        return CollectionView(
            id=own.pk if own else 0,
            name=own.name if own else str(self["name"].value() or _("new")).strip().removeprefix(PREFIX),
            members=tuple(self.seats),
            shape=str(self["shape"].value() or ""),
            reply=str(self["reply"].value() or ReplyKind.ALL),
            merger=str(self["merger"].value() or "").strip(),
            ranking=str(self["ranking"].value() or "record"),
            cooldown=str(self["cooldown"].value() or "substitute"),
            max_explorers=int(most) if most in ("0", "1", "2") else None,
        )

    def show(self, refusal: Refused) -> None:
        """Put each reason at its field, or at the top."""
        for field, sentence in refusal.problems:
            at = AT.get(field, field)
            self.add_error(at if at in self.fields else None, sentence)


def taken(data: QueryDict) -> QueryDict:
    """What was sent, with members and tags as they are after the button that was pressed."""
    whole = data.copy()
    whole.setlist("members", seated(data.getlist("members"), data.getlist("add"), data.get("do", "")))
    whole.setlist("tags", split_tags(data.getlist("tags")))
    return whole


def seated(members: Iterable[str], added: Iterable[str], do: str) -> list[str]:
    """Who is a member in which order, once those added are. `do` may be `up:`, `down:` or `drop:` and an alias."""
    order = list(dict.fromkeys(alias.strip()[:64] for alias in (*members, *added) if alias.strip()))
    verb, colon, alias = do.partition(":")
    if not colon or alias not in order:
        return order
    place = order.index(alias)
    order.remove(alias)
    match verb:
        case "up":
            order.insert(max(place - 1, 0), alias)
        case "down":
            order.insert(place + 1, alias)
        case "drop":
            pass
        case _:
            order.insert(place, alias)
    return order


def split_tags(typed: Sequence[str]) -> list[str]:
    """Each tag once, in small letters, from boxes that were ticked and lists with commas."""
    words = (word.strip().lower() for words in typed for word in words.split(","))
    return list(dict.fromkeys(word for word in words if word))


def fill(row: Collection) -> dict[str, Any]:
    """What the form shows of a collection."""
    share = row.shadow.get("share")
    return {
        "description": row.description,
        "tags": list(row.tags),
        "members": members_of(row),
        "shape": row.shape,
        "reply": row.reply,
        "merger": row.merger.alias if row.merger else "",
        "ranking": row.ranking,
        "cooldown": row.cooldown,
        "on_disconnect": row.on_disconnect,
        "max_explorers": row.max_explorers,
        "shadow_share": None if share is None else f"{100 * share:.6g}",
        "shadow_who": row.shadow.get("who", ""),
        "shadow_daily": row.shadow.get("daily"),
        "team": row.team.name if row.team else "",
    }

"""What the gateway knows at one moment, frozen, so that a decision can be made, stored and made again.

A Snapshot is a value without secrets. `load_snapshot` reads it in a handful of queries; engine/catalogue.py keeps it
between requests and reads it again when the catalogue's stamp moves.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from collections_app import facts
from collections_app.models import Collection, Endpoint, GatewayKey, LanguageModel, Setting, Standing
from gateway.canon.kinds import EndpointKind
from gateway.canon.names import family_of
from gateway.models import Cooldown


class EndpointView(Struct, frozen=True):
    """Where a model is reached. `key_name` and `key_env` name the secret; the secret itself is not here."""

    id: int
    name: str
    base: str
    kind: str
    api: str
    default: bool = False
    hub: str = ""
    key_name: str = ""
    key_env: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    quirks: dict[str, bool] = field(default_factory=dict)


class ModelView(Struct, frozen=True):
    """One model with the best known facts. None means unknown. `limits` has rpm, rpd, tpm, tpd where known; `sources`
    names where each fact came from."""

    id: int
    alias: str
    served: str
    endpoint: EndpointView
    role: str = "general"
    ad_hoc: bool = False
    tag: str = ""
    options: dict[str, Raw] = field(default_factory=dict)
    retired_on: str = ""
    retired_why: str = ""
    context_window: int | None = None
    max_output: int | None = None
    tools: bool | None = None
    vision: bool | None = None
    structured_output: bool | None = None
    reasoning: bool | None = None
    limits: dict[str, int] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def retired(self) -> bool:
        return bool(self.retired_on)

    @property
    def scripted(self) -> bool:
        """True for the practice squad."""
        return self.endpoint.kind == EndpointKind.PRACTICE

    @property
    def connection(self) -> str:
        """What shares a rate limit with this model: the upstream behind a hub, else the endpoint."""
        if self.tag:
            return self.tag.split("/", 1)[0]
        return "?" if self.endpoint.kind == "hub" else self.endpoint.name

    @property
    def family(self) -> str:
        return family_of(self.served)


class CollectionView(Struct, frozen=True):
    """A collection by its bare name. `members` are aliases in order; `merger` is an alias or empty; `created` epoch
    seconds."""

    id: int
    name: str
    members: tuple[str, ...] = ()
    shape: str = ""
    reply: str = "all"
    merger: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    ranking: str = "record"
    cooldown: str = "substitute"
    on_disconnect: str = "finish"
    max_explorers: int | None = None
    created: int = 0

    @property
    def full_name(self) -> str:
        return f"bench/{self.name}"


class KeyView(Struct, frozen=True):
    """A gateway key that is not revoked. `scope` None opens every collection; `expires_at` is epoch seconds."""

    id: int
    name: str
    digest: str
    owner_id: int
    owner_name: str
    scope: frozenset[str] | None = None
    rpm: int | None = None
    expires_at: float | None = None


class Caller(Struct, frozen=True):
    """Who asks: a gateway key, or `local` where no key is required."""

    name: str
    key_id: int | None = None
    owner_id: int | None = None
    scope: frozenset[str] | None = None
    rpm: int | None = None

    def may_call(self, collection: str) -> bool:
        return self.scope is None or collection in self.scope


class Snapshot(Struct, frozen=True):
    """The catalogue and what bears on seating. `last_work` and `cooling` hold epoch seconds by alias: when the model
    last worked, and until when it must rest."""

    stamp: str = ""
    models: dict[str, ModelView] = field(default_factory=dict)
    collections: dict[str, CollectionView] = field(default_factory=dict)
    keys: dict[str, KeyView] = field(default_factory=dict)
    max_calls: int = 5
    max_explorers: int = 2
    last_work: dict[str, float] = field(default_factory=dict)
    cooling: dict[str, float] = field(default_factory=dict)


def load_snapshot(stamp: str = "") -> Snapshot:
    """Reads everything. Sync; call it off the event loop."""
    # Endpoints come in the same query: one added between two queries would be missing from the first.
    rows = list(LanguageModel.objects.select_related("endpoint").prefetch_related("facts"))
    endpoints = {row.endpoint_id: _endpoint_view(row.endpoint) for row in rows}
    models = {row.alias: _model_view(row, endpoints[row.endpoint_id]) for row in rows}
    setting = Setting.load()
    return Snapshot(
        stamp=stamp,
        models=models,
        collections={view.name: view for view in _collection_views()},
        keys={view.digest: view for view in _key_views()},
        max_calls=setting.max_calls,
        max_explorers=setting.max_explorers,
        last_work={
            alias: at.timestamp()
            for alias, at in Standing.objects.filter(last_work_at__isnull=False).values_list(
                "language_model__alias", "last_work_at"
            )
            if at is not None
        },
        cooling={
            alias: until.timestamp() for alias, until in Cooldown.objects.values_list("language_model__alias", "until")
        },
    )


def _endpoint_view(row: Endpoint) -> EndpointView:
    return EndpointView(
        id=row.pk,
        name=row.name,
        base=row.base,
        kind=row.kind,
        api=row.api,
        default=row.default,
        hub=row.hub,
        key_name=row.key_name or row.name,
        key_env=row.key_env,
        headers={str(name): str(value) for name, value in row.headers.items()},
        quirks={str(name): bool(value) for name, value in row.quirks.items()},
    )


def _model_view(row: LanguageModel, endpoint: EndpointView) -> ModelView:
    values, sources = facts.merge(row.facts.all())
    return ModelView(
        id=row.pk,
        alias=row.alias,
        served=row.served,
        endpoint=endpoint,
        role=row.role,
        ad_hoc=row.ad_hoc,
        tag=row.tag,
        options={str(name): _raw(value) for name, value in row.options.items()},
        retired_on=row.retired_at.date().isoformat() if row.retired_at else "",
        retired_why=row.retired_why,
        context_window=values.get("context_window"),
        max_output=values.get("max_output"),
        tools=values.get("tools"),
        vision=values.get("vision"),
        structured_output=values.get("structured_output"),
        reasoning=values.get("reasoning"),
        limits=values.get("limits") or {},
        sources=sources,
    )


def _collection_views() -> list[CollectionView]:
    rows = Collection.objects.select_related("merger").prefetch_related("seatings__language_model")
    return [
        CollectionView(
            id=row.pk,
            name=row.name,
            members=tuple(seating.language_model.alias for seating in row.seatings.all()),
            shape=row.shape,
            reply=row.reply,
            merger=row.merger.alias if row.merger else "",
            description=row.description,
            tags=tuple(row.tags),
            ranking=row.ranking,
            cooldown=row.cooldown,
            on_disconnect=row.on_disconnect,
            max_explorers=row.max_explorers,
            created=int(row.created_at.timestamp()),
        )
        for row in rows
    ]


def _key_views() -> list[KeyView]:
    rows = GatewayKey.objects.filter(revoked_at__isnull=True, owner__is_active=True)
    return [
        KeyView(
            id=row.pk,
            name=row.name,
            digest=row.digest,
            owner_id=row.owner_id,
            owner_name=row.owner.get_username(),
            scope=frozenset(collection.name for collection in row.collections.all()) if row.scoped else None,
            rpm=row.rpm,
            expires_at=row.expires_at.timestamp() if row.expires_at else None,
        )
        for row in rows.select_related("owner").prefetch_related("collections")
    ]


def _raw(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))

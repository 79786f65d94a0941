"""Reads a Snapshot from the database, in a handful of queries however large the catalogue is. Sync."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from django.db.models import QuerySet
from msgspec import Raw, structs

from collections_app import facts
from collections_app.models import (
    Collection,
    ConnectionLimit,
    DecisionModel,
    Endpoint,
    Fact,
    LanguageModel,
    ModelAlias,
    Setting,
)
from gateway.canon.kinds import ModelStatus
from gateway.engine.loading_keys import load_keys, load_signed
from gateway.engine.loading_records import load_records
from gateway.engine.pace_rules import Limits
from gateway.engine.retry import LONGEST_WAIT_S
from gateway.engine.snapshot import CollectionView, DecisionView, EndpointView, ModelView, Snapshot, kept_limits
from gateway.models import Cooldown


class _Said(NamedTuple):
    """What one source says of a model, as `facts.merge` takes it."""

    field: str
    value: Any
    source: str


def load_snapshot(stamp: str = "") -> Snapshot:
    """Reads everything. Sync; call it off the event loop."""
    seating = load_seating(Collection.objects.all())
    endpoints = {model.endpoint.id: model.endpoint for model in seating.models.values()}
    decisions = list(DecisionModel.objects.select_related("via"))
    keys = load_keys()
    endpoints |= {row.via_id: endpoint_view(row.via) for row in decisions if row.via_id not in endpoints}
    return structs.replace(
        seating,
        stamp=stamp,
        aliases={row.name: row.full_name for row in ModelAlias.objects.select_related("target")},
        keys=keys,
        signed=load_signed(keys),
        decisions=tuple(_decision_view(row, endpoints[row.via_id]) for row in decisions),
        connection_limits={row.connection: _limits(row) for row in ConnectionLimit.objects.all()},
    )


def load_seating(found: QuerySet[Collection]) -> Snapshot:
    """What seats of these collections are planned from: all models, what was said of them and who rests. Nothing of
    callers and pacing."""
    models = load_models(LanguageModel.objects.all())
    setting = Setting.load()
    rests = list(Cooldown.objects.values_list("language_model__alias", "until", "stated", "at"))
    records = load_records(setting.half_life_days)
    return Snapshot(
        models=models,
        collections={view.name: view for view in load_collections(found)},
        max_calls=setting.max_calls,
        max_explorers=setting.max_explorers,
        picker=setting.picker,
        last_work=records.last_work,
        useful=records.useful,
        not_useful=records.not_useful,
        by_shape=records.by_shape,
        lately=records.lately,
        cooling={alias: until.timestamp() for alias, until, _, _ in rests},
        barred={
            alias: until.timestamp()
            for alias, until, stated, at in rests
            if stated and (until - at).total_seconds() > LONGEST_WAIT_S
        },
    )


def load_models(found: QuerySet[LanguageModel]) -> dict[str, ModelView]:
    """These models by alias, with what is known of them. Two queries."""
    # Endpoints come in the same query: one added between two queries would be missing from the first.
    rows = list(found.select_related("endpoint"))
    endpoints = {row.endpoint_id: endpoint_view(row.endpoint) for row in rows}
    said: dict[int, list[_Said]] = {row.pk: [] for row in rows}
    told = Fact.objects.filter(field__in=facts.DECIDING, language_model__in=said).order_by("pk")
    # Plain values: there are several rows a model, and this is read every few seconds.
    for model, *fact in told.values_list("language_model_id", "field", "value", "source").iterator(chunk_size=2000):
        said[model].append(_Said(*fact))
    return {row.alias: _model_view(row, endpoints[row.endpoint_id], said[row.pk]) for row in rows}


def _limits(row: ConnectionLimit) -> Limits:
    return Limits(row.rpm, row.tpm, row.rpd, row.tpd, row.rpmo, row.parallel)


def load_other_endpoints(known: Iterable[str]) -> list[EndpointView]:
    """The endpoints besides those of these names: no model hangs on them yet."""
    return [endpoint_view(row) for row in Endpoint.objects.exclude(name__in=known)]


def endpoint_view(row: Endpoint) -> EndpointView:
    """The endpoint as calls see it."""
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
        decisions_url=row.decisions_url,
    )


def _decision_view(row: DecisionModel, endpoint: EndpointView) -> DecisionView:
    return DecisionView(
        id=row.pk,
        alias=row.alias,
        served=row.served,
        endpoint=endpoint,
        path=row.path,
        question_types=tuple(row.question_types),
        ad_hoc=row.ad_hoc,
    )


def _model_view(row: LanguageModel, endpoint: EndpointView, said: Iterable[_Said]) -> ModelView:
    values, sources = facts.merge(said)
    limits: dict[str, int] = values.get("limits") or {}
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
        limits=limits,
        kept_limits=kept_limits(limits, sources),
        sources=sources,
        documents=values.get("documents"),
        audio=values.get("audio"),
        quirks=values.get("quirks") or {},
        prices=values.get("prices") or {},
        retiring=row.retire_in is not None,
        unheard=row.never_answered or row.status == ModelStatus.NOT_SERVED,
        fails_large=row.fails_large,
        paid_since=row.went_paid_at.date().isoformat() if row.went_paid_at and not row.allow_paid else "",
    )


def load_collections(found: QuerySet[Collection]) -> list[CollectionView]:
    """These collections with their members in order. Three queries."""
    rows = found.select_related("merger").prefetch_related("seatings__language_model")
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
            shadow_share=float(row.shadow.get("share", 0.0)),
            shadow_who=row.shadow.get("who", "members"),
            shadow_daily=row.shadow.get("daily", 100),
            max_explorers=row.max_explorers,
            created=int(row.created_at.timestamp()),
        )
        for row in rows
    ]


def _raw(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))

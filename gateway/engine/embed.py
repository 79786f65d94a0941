"""Runs a request for embeddings: one member gives all the vectors, and the same one the next time.

Checked in the order of every door: collection, scope, rate, members. A member that has no embeddings is passed over for
the next; any other failure is the answer (see engine/embed_plan.py for why).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from django.utils import timezone
from msgspec import Raw, Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import BadRequest, UpstreamFault
from gateway.engine.admission import refuse_out_of_scope
from gateway.engine.allowance_need import need_of_embedding
from gateway.engine.embed_call import EmbedOrder, call_for_vectors
from gateway.engine.embed_plan import EmbedPlan, embedder_of, embeds_not, nobody_embeds, plan_embedding
from gateway.engine.plan import find_collection
from gateway.engine.retry import pause_left
from gateway.engine.route_end import Tried, nobody_answered
from gateway.engine.route_plan import Passed
from gateway.engine.snapshot import Caller, CollectionView, ModelView, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

CALL: Final = "call"
"""The name under which `translation` has its notes: this work has no id, because nobody judges it."""


class EmbedAsking(Struct, frozen=True):
    """A request on its way in; `identify` as in `run.Asking`."""

    ask: EmbedAsk
    identify: Callable[[Snapshot, float], Caller]


class EmbedAnswer(Struct, frozen=True):
    """The vectors, the alias of the member that gave them, and the `bench` object of the reply."""

    embedded: Embedded
    alias: str
    bench: Raw


class EmbedField(Struct, frozen=True, omit_defaults=True):
    """The `bench` object of a reply with embeddings. The last two are absent when there is nothing to tell."""

    collection: str
    alias: str
    skipped: list[Passed] | None = None
    translation: dict[str, tuple[str, ...]] | None = None


class Embedders:
    """Who gave the vectors of each collection, as long as the catalogue stays what it was."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, CollectionView, str]] = {}

    def of(self, collection: CollectionView, snapshot: Snapshot) -> str:
        """The alias; empty when nobody is known."""
        stamp, then, alias = self._known.get(collection.name, ("", None, ""))
        return alias if stamp == snapshot.stamp and then == collection else ""

    def note(self, collection: CollectionView, snapshot: Snapshot, alias: str) -> None:
        self._known[collection.name] = (snapshot.stamp, collection, alias)


async def embed(bench: Bench, asking: EmbedAsking) -> EmbedAnswer:
    """Raises the fault that refuses the request, or that of the member that failed."""
    now = timezone.localtime(bench.clock())
    snapshot = await bench.catalogue.current(await bench.pulse.read_stamp())
    caller = asking.identify(snapshot, now.timestamp())
    collection = find_collection(asking.ask.model, snapshot, caller)
    refuse_out_of_scope(caller, collection)
    caller = await bench.allowances.let_in(
        caller, now, lambda: need_of_embedding(asking.ask, collection, snapshot), bench.limits.seat_s
    )
    try:
        bench.note_use(caller, now)
        plan = plan_embedding(collection, snapshot, bench.embedders.of(collection, snapshot))
        return await _ask_members(bench, asking.ask, plan, collection, caller, snapshot)
    finally:
        bench.let_go(caller)


async def _ask_members(
    bench: Bench, ask: EmbedAsk, plan: EmbedPlan, collection: CollectionView, caller: Caller, snapshot: Snapshot
) -> EmbedAnswer:
    passed = list(plan.passed)
    barred = bench.recency.barred(snapshot.barred)
    for alias in plan.order:
        model = snapshot.models[alias]
        if ask.bench.strict:
            _refuse_losses(bench, ask, model)
        order = EmbedOrder(model, ask, caller, collection.name, bench.limits.seat_s)
        try:
            if (pause := pause_left(barred.get(alias, 0.0), bench.clock().timestamp())) is not None:
                raise pause
            came, notes = await call_for_vectors(bench, order)
        except UpstreamFault as fault:
            if not embeds_not(fault):
                raise nobody_answered(collection.full_name, [Tried(alias, model.connection, fault)]) from fault
            passed.append(Passed(alias, fault.message))
            continue
        bench.embedders.note(collection, snapshot, alias)
        return EmbedAnswer(came, alias, _field(collection, alias, passed, notes))
    raise nobody_embeds(collection, passed)


def _refuse_losses(bench: Bench, ask: EmbedAsk, model: ModelView) -> None:
    """Raises BadRequest when this member cannot be sent the request whole."""
    upstream, client = bench.upstream_if_known(model), embedder_of(model)
    if upstream is not None and client is not None and (notes := client.write(ask, upstream.facts).notes):
        raise BadRequest(
            f"`bench.strict` is set and {model.alias} cannot be sent this request whole: {' '.join(notes)} "
            "Leave those out, or drop `bench.strict`.",
            code="strict",
        )


def _field(collection: CollectionView, alias: str, passed: Sequence[Passed], notes: tuple[str, ...]) -> Raw:
    told = EmbedField(
        collection=collection.full_name,
        alias=alias,
        skipped=list(passed) or None,
        translation={CALL: notes} if notes else None,
    )
    return Raw(msgspec.json.encode(told))

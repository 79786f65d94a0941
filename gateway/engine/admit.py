"""The way in: from a request to work under way, or to the fault that refuses it.

Every door checks in the same order: collection, scope, rate, mode, line-up. A turn in route mode asks Redis once, for
the catalogue's stamp and its conversation together; should the stamp have moved, everything is judged again by the
newer catalogue.
"""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import TYPE_CHECKING

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest, CallerFault
from gateway.engine.admission import refuse_other_modes, refuse_out_of_scope, reply_mode
from gateway.engine.allowance_need import need_of_panel, need_of_turn
from gateway.engine.ids import panel_id, second_of
from gateway.engine.moment import Moment
from gateway.engine.panel import PanelRun
from gateway.engine.panel_kinds import PANELS
from gateway.engine.picker import PATIENCE_S, pick_shape
from gateway.engine.picker_plan import Picked, find_picker
from gateway.engine.plan import PanelPlan, find_collection, plan_panel, resolve_model
from gateway.engine.receipt import refuse_losses
from gateway.engine.route import TRIES, Opened, RouteRun
from gateway.engine.route_plan import RoutePlan, order_of, plan_route
from gateway.engine.run import Asking, Run
from gateway.engine.seals import seals_in
from gateway.engine.snapshot import Caller, CollectionView, Snapshot
from gateway.engine.sticky import conversation_key

if TYPE_CHECKING:
    from gateway.engine.bench import Beginning, Bench


async def admit(bench: Bench, asking: Asking) -> Run:
    """Judged first by what this process knows: that tells a turn from a panel without asking anybody."""
    known = bench.catalogue.latest
    now = bench.now()
    try:
        caller, collection, mode = _read(asking, known, now.timestamp())
    except CallerFault:
        mode = ""  # perhaps only what this process does not know yet
    if mode == "route":
        return await _open_turn(bench, asking, known, caller, collection, now)
    beginning = await bench.begin()
    caller, collection, mode = _read(asking, beginning.snapshot, beginning.now.timestamp())
    if mode == "route":
        return await _open_turn(bench, asking, beginning.snapshot, caller, collection, beginning.now)
    return await _open_panel(bench, beginning, asking.ask, caller, collection, mode)


def _read(asking: Asking, snapshot: Snapshot, now: float) -> tuple[Caller, CollectionView, str]:
    """Who asks what in which mode."""
    caller = asking.identify(snapshot, now)
    named = resolve_model(asking.ask.model, snapshot)
    collection = find_collection(named, snapshot, caller)
    refuse_out_of_scope(caller, collection)
    return caller, collection, reply_mode(asking.ask, named, collection)


async def _open_panel(
    bench: Bench, beginning: Beginning, ask: Ask, caller: Caller, collection: CollectionView, mode: str
) -> PanelRun:
    snapshot, now = beginning.snapshot, beginning.now.timestamp()
    caller = await bench.allowances.let_in(
        caller,
        beginning.now,
        lambda: need_of_panel(ask, collection, snapshot, mode),
        PATIENCE_S + bench.limits.seat_s * (2 if mode == "merged" else 1),
    )
    with _Reserved(bench, caller):
        bench.note_use(caller, beginning.now)
        refuse_other_modes(ask, collection, mode)
        panel, plan = _line_up(bench, beginning, ask, collection)
        if plan.undecided:
            picked = await pick_shape(bench, snapshot, caller.aside(), collection, plan.system, plan.prompt)
            if not isinstance(find_picker(snapshot), Picked):
                # Whoever sat meanwhile counts: nothing waits between knowing who sat last and noting who sits now.
                beginning = msgspec.structs.replace(await bench.begin(), snapshot=snapshot)
            panel, plan = _line_up(bench, beginning, ask, collection, picked)
            now = beginning.now.timestamp()
        refuse_losses(ask, plan, (bench.upstream_if_known(snapshot.models[seat.alias]) for seat in plan.seats))
        bench.recency.note((seat.alias for seat in plan.seats), now)
        run = PANELS[mode](bench, panel, plan, ask, caller, snapshot)
    if ask.bench.background:  # whoever gets the id alone looks it up at once
        await bench.recorder.settle()
    return run


def _line_up(
    bench: Bench, beginning: Beginning, ask: Ask, collection: CollectionView, picked: Picked | None = None
) -> tuple[str, PanelPlan]:
    """(id, plan) of a panel that begins at this moment."""
    snapshot = beginning.snapshot
    last_work = bench.recency.merged(snapshot.last_work, beginning.pulse.seated)
    moment = Moment(beginning.now.timestamp(), last_work, bench.recency.resting(snapshot.cooling))
    panel = panel_id(second_of(beginning.now), beginning.pulse.number, bench.rng)
    plan = plan_panel(ask, collection, snapshot, moment, Random(panel), picked)  # noqa: S311 ties, replayable by the id
    return panel, plan


async def _open_turn(
    bench: Bench, asking: Asking, snapshot: Snapshot, caller: Caller, collection: CollectionView, now: datetime
) -> RouteRun:
    ask, at = asking.ask, now.timestamp()
    if ask.bench.background:
        raise BadRequest(
            "Only a panel can be asked in the background; a turn in route mode is answered to whoever waits.",
            code="background",
        )
    caller = await bench.allowances.let_in(
        caller,
        now,
        lambda: need_of_turn(ask, collection, snapshot),
        bench.limits.route_turn_s + (TRIES - 1) * bench.limits.route_first_piece_s,
    )
    with _Reserved(bench, caller):
        bench.note_use(caller, now)
        key = conversation_key(collection.name, caller.name, ask, asking.hints)
        plan = _plan(bench, ask, collection, snapshot, now, key)
        alone = len(plan.eligible) + len(plan.passed) == 1
        maker = "" if seals_in(ask) and not alone else plan.eligible[0]
        taken = await bench.conversations.take(key, at, second_of(now), plan.eligible, maker)
        newer = await bench.catalogue.current(taken.stamp)
        if newer is not snapshot:
            snapshot, grant = newer, caller.grant
            caller, collection, mode = _read(asking, snapshot, at)
            caller = msgspec.structs.replace(caller, grant=grant)
            refuse_other_modes(ask, collection, mode)
            plan = _plan(bench, ask, collection, snapshot, now, key)
        order = order_of(plan, taken.conversation.alias, taken.conversation.order)
        barred = bench.recency.barred(snapshot.barred)
        opened = Opened(key, taken.conversation, order, plan, ask, caller, snapshot, barred)
        return RouteRun(bench, opened, bench.limits.route_grace_s)


class _Reserved:
    """A block after which nothing stays reserved for a request that came to no run. One that did lets go by itself."""

    __slots__ = ("_bench", "_caller")

    def __init__(self, bench: Bench, caller: Caller) -> None:
        self._bench = bench
        self._caller = caller

    def __enter__(self) -> None:
        """What is reserved was reserved before."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is not None:
            self._bench.let_go(self._caller)


def _plan(bench: Bench, ask: Ask, collection: CollectionView, snapshot: Snapshot, now: datetime, key: str) -> RoutePlan:
    last_work = bench.recency.among(collection.members, snapshot.last_work)
    moment = Moment(now.timestamp(), last_work, bench.recency.resting(snapshot.cooling))
    # What `bayes` draws can be drawn again from the conversation's key and the second in its id.
    rng = Random(f"{key} {second_of(now)}") if collection.ranking == "bayes" else bench.rng  # noqa: S311
    plan = plan_route(ask, collection, snapshot, moment, rng)
    return _without_losses(bench, ask, plan, snapshot) if ask.bench.strict else plan


def _without_losses(bench: Bench, ask: Ask, plan: RoutePlan, snapshot: Snapshot) -> RoutePlan:
    """The plan with those members alone that can be sent the request whole. Raises BadRequest when there is none."""
    losses: dict[str, tuple[str, ...]] = {}
    for alias in plan.eligible:
        upstream = bench.upstream_if_known(snapshot.models[alias])
        if upstream is not None and (notes := upstream.wire.write_ask(ask, upstream.facts).notes):
            losses[alias] = notes
    eligible = tuple(alias for alias in plan.eligible if alias not in losses)
    if not eligible:
        told = "; ".join(f"{alias}: {' '.join(notes)}" for alias, notes in losses.items())
        raise BadRequest(
            f"`bench.strict` is set and no member can be sent this request whole: {told} "
            "Leave those out, or drop `bench.strict`.",
            code="strict",
        )
    return msgspec.structs.replace(plan, eligible=eligible)

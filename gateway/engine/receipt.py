"""What of a request a panel does not carry, and why: pure. Nothing is dropped in silence.

The request's own part is the same for every seat; what a member's protocol cannot say is added per seat by its writer.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gateway.canon.ask import Ask, Knobs, Thought
from gateway.canon.fault import BadRequest
from gateway.engine.plan import PanelPlan
from gateway.engine.upstreams import Upstream

_OWN_OPTIONS = "each seat samples by its model's own options"
_NO_KNOBS = Knobs()


def panel_receipt(ask: Ask) -> tuple[str, ...]:
    """What the seats are not sent of this request, a sentence each."""
    notes = [
        f"{name} was left out: {_OWN_OPTIONS}"
        for name in Knobs.__struct_fields__
        if getattr(ask.knobs, name) != getattr(_NO_KNOBS, name)
    ]
    notes += [f"{name} was left out: a panel does not pass it on" for name in sorted(ask.extras)]
    if any(isinstance(part, Thought) for turn in ask.turns for part in turn.parts):
        notes.append("earlier reasoning was left out: it belongs to the model that made it")
    return tuple(notes)


def for_seats(ask: Ask) -> Ask:
    """What every seat is asked: the caller's turns and output format, and nothing of what `panel_receipt` names."""
    turns = tuple(
        msgspec.structs.replace(turn, parts=tuple(part for part in turn.parts if not isinstance(part, Thought)))
        for turn in ask.turns
    )
    return msgspec.structs.replace(ask, turns=turns, knobs=_NO_KNOBS, extras={}, nominated=(), stream=True)


def refuse_losses(ask: Ask, plan: PanelPlan, upstreams: Iterable[Upstream | None]) -> None:
    """Raises BadRequest when the caller asked for `bench.strict` and anything would be left out. None stands for a seat
    that cannot be called at all, which is told in its own place."""
    if not ask.bench.strict:
        return
    losses = list(panel_receipt(ask))
    sent = for_seats(ask)
    for seat, upstream in zip(plan.seats, upstreams, strict=True):
        if upstream is not None:
            notes = upstream.wire.write_ask(sent, upstream.facts).notes
            losses += [f"{seat.alias}: {note}" for note in notes]
    if losses:
        raise BadRequest(
            f"`bench.strict` is set and this request cannot be carried whole: {'; '.join(losses)}. "
            "Leave those out, or drop `bench.strict`.",
            code="strict",
        )

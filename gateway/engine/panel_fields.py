"""The `bench` object of a panel's reply: the same facts as its text, for programs."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from gateway.engine.explorers import Skipped
from gateway.engine.panel_json import Structured
from gateway.engine.plan import PanelPlan
from gateway.engine.records import SeatRow

VERDICT_HINT = (
    'POST /bench/verdict {"call": "<call id>", "useful": true|false, "note": "...", "real": ["..."], "false": ["..."]}'
)


class SeatField(Struct, frozen=True):
    """One seat. `error` is empty when there was none; `seconds` has one decimal."""

    call: str
    seat: str
    alias: str
    status: str
    seconds: float
    answer: str
    error: str


class PanelField(Struct, frozen=True, omit_defaults=True):
    """`skipped` is absent when nobody was. `translation` names what was left out: under `request` for every seat, under
    a call id for that seat; it is absent when nothing was. `structured` says whose document the reply is, where an
    output format was asked for."""

    panel: str
    collection: str
    shape: str
    shape_by: str
    seats: list[SeatField]
    verdict: str
    skipped: list[Skipped] | None = None
    translation: dict[str, tuple[str, ...]] | None = None
    structured: Structured | None = None


def panel_field(
    panel: str,
    plan: PanelPlan,
    seats: Iterable[SeatRow],
    receipt: tuple[str, ...] = (),
    structured: Structured | None = None,
) -> Raw:
    """The object as JSON. It never holds the prompt."""
    seats = tuple(seats)
    left_out = {"request": receipt, **{seat.call: seat.notes for seat in seats}}
    return Raw(
        msgspec.json.encode(
            PanelField(
                panel=panel,
                collection=plan.collection.full_name,
                shape=plan.shape,
                shape_by=plan.shape_by,
                seats=[
                    SeatField(seat.call, seat.label, seat.alias, seat.status, seat.seconds, seat.answer, seat.error)
                    for seat in seats
                ],
                verdict=VERDICT_HINT,
                skipped=list(plan.skipped) or None,
                translation={where: notes for where, notes in left_out.items() if notes} or None,
                structured=structured,
            )
        )
    )

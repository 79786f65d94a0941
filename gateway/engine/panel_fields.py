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


class Answered(Struct, frozen=True):
    """How many seats answered, of how many."""

    ok: int
    of: int


class How(Struct, frozen=True):
    """How the reply was made of the seats. `reply` is empty where every answer is shown because that was asked for;
    `merger` is set when one was called; `note` says why the reply is not the merger's; `answered` is set when some seat
    did not; `structured` says whose document the reply is, where an output format was asked for."""

    reply: str = ""
    merger: SeatRow | None = None
    note: str = ""
    answered: Answered | None = None
    structured: Structured | None = None


PLAIN = How()


class PanelField(Struct, frozen=True, omit_defaults=True):
    """`skipped` is absent when nobody was. `translation` names what was left out: under `request` for every seat, under
    a call id for that seat; it is absent when nothing was. The last five are those of How."""

    panel: str
    collection: str
    shape: str
    shape_by: str
    seats: list[SeatField]
    verdict: str
    skipped: list[Skipped] | None = None
    translation: dict[str, tuple[str, ...]] | None = None
    structured: Structured | None = None
    reply: str = ""
    merger: SeatField | None = None
    note: str = ""
    answered: Answered | None = None


def panel_field(
    panel: str, plan: PanelPlan, seats: Iterable[SeatRow], receipt: tuple[str, ...] = (), how: How = PLAIN
) -> Raw:
    """The object as JSON. It never holds the prompt."""
    seats = tuple(seats)
    called = seats if how.merger is None else (*seats, how.merger)
    left_out = {"request": receipt, **{seat.call: seat.notes for seat in called}}
    return Raw(
        msgspec.json.encode(
            PanelField(
                panel=panel,
                collection=plan.collection.full_name,
                shape=plan.shape,
                shape_by=plan.shape_by,
                seats=[_seat(seat) for seat in seats],
                verdict=VERDICT_HINT,
                skipped=list(plan.skipped) or None,
                translation={where: notes for where, notes in left_out.items() if notes} or None,
                structured=how.structured,
                reply=how.reply,
                merger=None if how.merger is None else _seat(how.merger),
                note=how.note,
                answered=how.answered,
            )
        )
    )


def _seat(seat: SeatRow) -> SeatField:
    return SeatField(seat.call, seat.label, seat.alias, seat.status, seat.seconds, seat.answer, seat.error)

"""A panel's reply as markdown, piece by piece. The pieces of a stream make the same text as the whole, but for the
seats' order."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.canon.kinds import SeatStatus
from gateway.engine.plan import PanelPlan
from gateway.engine.records import SeatRow

ERROR_CAP = 300


def header(panel: str, plan: PanelPlan) -> str:
    """The first piece: which panel this is, who sits, and who was not asked."""
    explorers = len(plan.seats) - plan.members
    lines = (
        f"Bench {plan.collection.full_name} {panel} · {plan.members} members + {explorers} explorers · "
        f"explorer shape {plan.shape} ({plan.shape_by})\n"
    )
    if plan.skipped:
        lines += "\nNot asked: " + "; ".join(f"{skip.alias} ({skip.why})" for skip in plan.skipped) + "\n"
    return lines


def section(seat: SeatRow) -> str:
    """One seat's piece."""
    return f"\n## {seat.label} — {seat.alias}\n`{seat.call}` · {seat.status} · {seat.seconds:.1f}s\n\n{_body(seat)}\n"


def footer(panel: str) -> str:
    """The last piece."""
    return (
        "\n---\nOnce you have checked an answer against your work, record a verdict for its seat.\n"
        f"`POST /bench/verdict` with its call id, or `bench verdict {panel}.<seat> --useful`.\n"
    )


def whole(panel: str, plan: PanelPlan, seats: Iterable[SeatRow]) -> str:
    """The reply in one piece, seats in their order."""
    return header(panel, plan) + "".join(section(seat) for seat in seats) + footer(panel)


def close_fence(text: str) -> str:
    """What ends a block of code that a text leaves open, so that words after it are read as words."""
    opened = [line.lstrip() for line in text.split("\n") if line.lstrip().startswith("```")]
    return "\n```" if len(opened) % 2 else ""


def trouble(seat: SeatRow) -> str:
    """What stands where an answer should be, in italics; nothing for a seat that answered."""
    match seat.status:
        case SeatStatus.OK:
            return ""
        case SeatStatus.ASKED:
            return "*still at work when this was told: GET /bench/panels/ with the panel's id has its answer later*"
        case SeatStatus.EMPTY:
            return "*empty: the model sent no text; usually its token budget was spent, it does not mean it cannot*"
        case _:
            return f"*error: {seat.error[:ERROR_CAP]}*"


def _body(seat: SeatRow) -> str:
    return trouble(seat) or seat.answer

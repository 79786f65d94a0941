"""Which seat's JSON is the reply of a panel that was asked for JSON: pure.

The value that most seats gave, compared as JSON and not as text; of several, the one of the earliest seat. Values that
fit the caller's schema come before those that do not. An answer that is not JSON has no say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from gateway.canon.ask import OutputFormat
from gateway.canon.fault import Broken
from gateway.canon.kinds import SeatStatus
from gateway.engine.json_fit import fits, read_json, same_key
from gateway.engine.records import SeatRow

NO_JSON: Final = "no_json"
_FENCE: Final = "```"
_WHY_CAP: Final = 120


class Structured(Struct, frozen=True):
    """Whose document is shown: the seat's call id, and how many of all seats gave the same value."""

    call: str
    agree: int
    of: int


class _Vote(Struct, frozen=True):
    call: str
    text: str
    value: Any
    key: bytes


def choose_document(output: OutputFormat, seats: Sequence[SeatRow]) -> tuple[str, Structured] | None:
    """(the document as the seat wrote it, whose it is); None when no seat gave JSON. `seats` are in their own order."""
    votes = [vote for seat in seats if seat.status == SeatStatus.OK and (vote := _read(seat)) is not None]
    schema = _schema_of(output)
    votes = [vote for vote in votes if fits(schema, vote.value)] or votes
    if not votes:
        return None
    counts = Counter(vote.key for vote in votes)
    best = max(votes, key=lambda vote: counts[vote.key])
    return best.text, Structured(best.call, counts[best.key], len(seats))


def fitting_document(output: OutputFormat, seat: SeatRow) -> str | None:
    """The document that this seat wrote, without a fence around it; None when it wrote none that fits."""
    vote = _read(seat)
    return vote.text if vote is not None and fits(_schema_of(output), vote.value) else None


def no_document(panel: str, seats: Iterable[SeatRow]) -> Broken:
    """What the caller of this panel is told when no seat gave JSON."""
    told = "; ".join(f"{seat.alias} ({_why(seat)})" for seat in seats)
    return Broken(
        f"This request asks for JSON, and no seat of panel {panel} answered with any: {told}. Their answers are kept "
        "with the panel. Ask again, ask a collection whose members can write JSON, or leave the output format out.",
        code=NO_JSON,
    )


def strip_fence(text: str) -> str:
    """The text without white space around it and without a code fence around all of it."""
    text = text.strip()
    if not (text.startswith(_FENCE) and text.endswith(_FENCE) and "\n" in text):
        return text
    return text.partition("\n")[2].removesuffix(_FENCE).strip()


def _read(seat: SeatRow) -> _Vote | None:
    text = strip_fence(seat.answer)
    try:
        value = read_json(text)
        return _Vote(seat.call, text, value, same_key(value))
    except (ValueError, RecursionError):  # some values can be read and are too deep to be written
        return None


def _schema_of(output: OutputFormat) -> object:
    if output.kind == "json_object":
        return {"type": "object"}
    return read_json(bytes(output.schema)) if output.schema is not None else None


def _why(seat: SeatRow) -> str:
    if seat.status == SeatStatus.OK:
        return "its answer is not JSON"
    return " ".join(seat.error.split())[:_WHY_CAP] or seat.status

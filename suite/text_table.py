"""The sheets of models as plain text, each figure with its interval and what it was counted over. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from suite.metrics import CHANCES, Hunt, Share, Sheet

NOTHING: Final = "-"
NANO: Final = 1e9

Column = tuple[str, Callable[[Sheet], str]]


def share_words(share: Share | None) -> str:
    """`80% (64-90%) of 40`, or a dash of nothing."""
    if share is None or (interval := share.interval) is None:
        return NOTHING
    return f"{interval.share:.0%} ({interval.low * 100:.0f}-{interval.high:.0%}) of {share.of:g}"


def hunt_words(hunt: Hunt) -> str:
    """The score of hunts, from -1 to 1."""
    return NOTHING if hunt.score is None else f"{hunt.score:+.2f}"


FOUND: Final[tuple[Column, ...]] = (
    ("model", lambda sheet: sheet.model),
    ("answered", lambda sheet: f"{sheet.tasks} of {sheet.asked}"),
    ("findings located", lambda sheet: share_words(sheet.recall)),
    ("precision", lambda sheet: share_words(sheet.precision)),
    ("tasks with an invention", lambda sheet: share_words(sheet.invention)),
    ("claims judged right", lambda sheet: share_words(sheet.claims)),
)
HUNTS: Final[tuple[Column, ...]] = (
    ("model", lambda sheet: sheet.model),
    ("found", lambda sheet: _count(sheet.hunt.found)),
    ("wrong line", lambda sheet: _count(sheet.hunt.wrong_line)),
    ("missed", lambda sheet: _count(sheet.hunt.missed)),
    ("clean", lambda sheet: _count(sheet.hunt.clean)),
    ("false alarm", lambda sheet: _count(sheet.hunt.false_alarm)),
    ("score", lambda sheet: hunt_words(sheet.hunt)),
    ("controls alarmed at", lambda sheet: share_words(sheet.controls)),
)
COSTS: Final[tuple[Column, ...]] = (
    ("model", lambda sheet: sheet.model),
    ("median", lambda sheet: _seconds(sheet.seconds)),
    ("time a finding", lambda sheet: _seconds(sheet.seconds_a_finding)),
    ("cost a finding", lambda sheet: _dollars(sheet.cost_a_finding)),
    ("spread of repetitions", lambda sheet: NOTHING if sheet.spread is None else f"{sheet.spread:.2f}"),
)


def told(sheets: Sequence[Sheet]) -> str:
    """All of it: what was found, how hunts ended, where models were confidently wrong, what it cost."""
    kinds = [kind for kind in CHANCES if any(kind in sheet.wrong for sheet in sheets)]
    wrong: list[Column] = [("model", lambda sheet: sheet.model)]
    wrong += [(kind, lambda sheet, kind=kind: share_words(sheet.wrong.get(kind))) for kind in kinds]  # type: ignore[misc]
    wrong.append(("all of them", lambda sheet: share_words(sheet.wrongs)))
    parts = (
        ("What was found", FOUND),
        ("Hunts for a bug", HUNTS),
        ("Confidently wrong", wrong),
        ("Time and cost", COSTS),
    )
    tables = [f"{title}\n\n{table([name for name, _ in columns], _rows(sheets, columns))}" for title, columns in parts]
    return "\n\n".join([*tables, "In brackets: between these bounds in 95 of 100 cases."])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their names, parted by two spaces, the first to the left and the others to the right."""
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            word.ljust(width) if place == 0 else word.rjust(width)
            for place, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _rows(sheets: Sequence[Sheet], columns: Sequence[Column]) -> list[list[str]]:
    return [[read(sheet) for _, read in columns] for sheet in sheets]


def _count(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _seconds(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{seconds:.1f} s"


def _dollars(nano: float | None) -> str:
    return NOTHING if nano is None else f"${nano / NANO:.4f}"

"""The heat map: how each model took each task, as rows of cells and as a drawing with words in place of it. Pure.

The drawing is an SVG of its own, without script or style sheet. What is drawn has classes too, so that a page may give
it the colours of its theme. Nothing is told by colour alone: a dot says that something false was claimed, a bar that no
answer came, a hollow cell that nothing was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from statistics import fmean
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.results import Result, by_task

TONES: Final = ("#f1dcb4", "#cdd6b0", "#93bfae", "#4c9a9a", "#0b5a6a")
"""From nothing found to all of it, each darker than the one before."""
NO_ANSWER, INK, QUIET, FALSE, PAPER = "#c9d0d0", "#13252a", "#4a5c60", "#ad2a1f", "#ffffff"
SIZE, GAP, BETWEEN = 16, 2, 10
"""Of a cell, between two, and between two shapes of tasks, in pixels."""
MOST_NAMES: Final = 60
"""With more tasks than that their names are not written beside them; each cell still tells its own."""
_SHAPES: Final = tuple(TaskShape)
_LETTER: Final = 6.6
NAMES: Final = {
    TaskShape.FINDING: "findings",
    TaskShape.CLAIM: "claims",
    TaskShape.SEEDED: "planted changes",
    TaskShape.REAL: "real bugs",
    TaskShape.NEEDLE: "long context",
}


class Cell(Struct, frozen=True):
    """`share` is the mean credit from 0 to 1 over `takes` answers, None where none came; `why` then says what came
    instead. `wrong` says that some answer claimed what is false."""

    model: str
    task: str
    takes: int = 0
    share: float | None = None
    wrong: bool = False
    why: str = ""

    @property
    def tone(self) -> int | None:
        """The place in TONES, for an answer."""
        return None if self.share is None else min(int(self.share * len(TONES)), len(TONES) - 1)

    @property
    def words(self) -> str:
        """The cell in a few words."""
        if self.share is None:
            return f"{self.model}, {self.task}: {self.why or 'not asked'}"
        times = f" in {self.takes} answers" if self.takes > 1 else ""
        return f"{self.model}, {self.task}: {self.share:.0%}{times}{', something false claimed' if self.wrong else ''}"


class HeatMap(Struct, frozen=True):
    """`columns` are (shape, tasks) in order; a row of cells for each model, in the order of the tasks."""

    columns: tuple[tuple[TaskShape, tuple[str, ...]], ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(task for _, tasks in self.columns for task in tasks)

    @property
    def words(self) -> str:
        """All of it in sentences, for those who do not see it."""
        if not self.rows:
            return "No model was asked anything yet."
        return " ".join(_row_words(model, cells) for model, cells in self.rows)


def heat_map(results: Iterable[Result], models: Sequence[str] | None = None) -> HeatMap:
    """Of these results: tasks by shape and name; models as given, else the best first."""
    every = list(results)
    shapes = {one.task: one.shape for one in every}
    columns = tuple(
        (shape, tuple(sorted(task for task, its in shapes.items() if its is shape)))
        for shape in _SHAPES
        if shape in shapes.values()
    )
    answered = by_task(every)
    other: dict[tuple[str, str], Result] = {}
    for one in sorted(every, key=lambda one: one.at):
        other[one.model, one.task] = one
    tasks = [task for _, tasks in columns for task in tasks]
    asked = models if models is not None else sorted({one.model for one in every})
    rows = [(model, tuple(_cell(model, task, answered, other) for task in tasks)) for model in asked]
    if models is None:
        rows.sort(key=lambda row: (-_mean(row[1]), row[0]))
    return HeatMap(columns, tuple(rows))


def draw_heat_map(shown: HeatMap, title: str, name: str = "heat-map", link: Callable[[Cell], str] | None = None) -> str:
    """The drawing. `name` begins its ids, where a page has several. `link` is where a cell leads, empty for nowhere:
    links are for the mouse; a page gives the same in its table."""
    left = max((len(model) for model, _ in shown.rows), default=0) * _LETTER + 14
    named = len(shown.tasks) <= MOST_NAMES
    longest = max((len(_short(task)) for task in shown.tasks), default=0)
    top = 50 + (longest * _LETTER * 0.75 + 6 if named else 14)
    places, right = _places(shown, left)
    wide = max(right + (longest * _LETTER * 0.72 if named else 0) + 8, 520)
    high = top + len(shown.rows) * (SIZE + GAP) + 38
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" role="img" aria-labelledby="{name}-title {name}-words" font-family="sans-serif" '
        'font-size="12">',
        f'<title id="{name}-title">{escape(title)}</title>',
        f'<desc id="{name}-words">{escape(shown.words)}</desc>',
        f'<rect class="heat-paper" width="{wide:.0f}" height="{high:.0f}" fill="{PAPER}"/>',
        _text(8, 20, title, size=15),
    ]
    if named:
        lines += [_turned(places[task] + SIZE / 2 + 4, top - 6, _short(task)) for task in shown.tasks]
    for shape, tasks in shown.columns:
        lines.append(_text(places[tasks[0]], 40, NAMES.get(shape, str(shape)), quiet=True))
    for number, (model, cells) in enumerate(shown.rows):
        y = top + number * (SIZE + GAP)
        lines.append(_text(left - 8, y + 12, model, anchor="end"))
        lines += [_linked(cell, _drawn(cell, places[cell.task], y), link) for cell in cells]
    return "\n".join([*lines, *_legend(8, high - 22), "</svg>", ""])


def _cell(
    model: str, task: str, answered: dict[tuple[str, str], list[Result]], other: dict[tuple[str, str], Result]
) -> Cell:
    if takes := answered.get((model, task)):
        wrong = any(one.wrong or one.invented for one in takes)
        return Cell(model, task, len(takes), fmean(one.credit for one in takes), wrong)
    last = other.get((model, task))
    return Cell(model, task, why=f"no answer ({last.outcome})" if last else "")


def _mean(cells: Iterable[Cell]) -> float:
    shares = [cell.share for cell in cells if cell.share is not None]
    return fmean(shares) if shares else -1.0


def _row_words(model: str, cells: Sequence[Cell]) -> str:
    shares = [cell.share for cell in cells if cell.share is not None]
    if not shares:
        return f"{model} answered none of {len(cells)} tasks."
    wrong = sum(cell.wrong for cell in cells)
    false = f", something false claimed in {wrong}" if wrong else ""
    return f"{model} answered {len(shares)} of {len(cells)} tasks, {fmean(shares):.0%} on average{false}."


def _places(shown: HeatMap, left: float) -> tuple[dict[str, float], float]:
    """(where each task's column begins, where the last one ends)."""
    places, x = {}, left
    for shape, tasks in shown.columns:
        begin = x
        for task in tasks:
            places[task] = x
            x += SIZE + GAP
        x = max(x, begin + len(NAMES.get(shape, str(shape))) * _LETTER) + BETWEEN
    return places, x


def _short(task: str) -> str:
    return task if len(task) <= 26 else f"\u2026{task[-25:]}"


def _drawn(cell: Cell, x: float, y: float) -> str:
    said = f"<title>{escape(cell.words)}</title>"
    if cell.tone is None:
        kind = "heat-none" if cell.why else "heat-hollow"
        fill = f'fill="{NO_ANSWER}"' if cell.why else f'fill="none" stroke="{NO_ANSWER}"'
        body = (
            f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{SIZE}" height="{SIZE}" rx="2" {fill}>{said}</rect>'
        )
        return f"{body}{_bar(x, y)}" if cell.why else body
    body = (
        f'<rect class="heat-{cell.tone}" x="{x:.1f}" y="{y:.1f}" width="{SIZE}" height="{SIZE}" rx="2" '
        f'fill="{TONES[cell.tone]}">{said}</rect>'
    )
    return f"{body}{_dot(x, y)}" if cell.wrong else body


def _bar(x: float, y: float) -> str:
    where = f"M{x + 4:.1f} {y + SIZE / 2:.1f}h{SIZE - 8}"
    return f'<path class="heat-bar" d="{where}" stroke="{QUIET}" stroke-width="2"/>'


def _dot(x: float, y: float) -> str:
    return (
        f'<circle class="heat-dot" cx="{x + SIZE / 2:.1f}" cy="{y + SIZE / 2:.1f}" r="3.6" fill="{FALSE}" '
        f'stroke="{PAPER}" stroke-width="1.2"/>'
    )


def _linked(cell: Cell, drawn: str, link: Callable[[Cell], str] | None) -> str:
    where = link(cell) if link else ""
    return f'<a href="{escape(where)}" tabindex="-1">{drawn}</a>' if where else drawn


def _legend(x: float, y: float) -> list[str]:
    shown = (
        ("nothing", Cell("", "", 1, 0.0)),
        ("half", Cell("", "", 1, 0.5)),
        ("all of it", Cell("", "", 1, 1.0)),
        ("something false claimed", Cell("", "", 1, 0.0, wrong=True)),
        ("no answer", Cell("", "", why="no answer")),
        ("not asked", Cell("", "")),
    )
    lines = []
    for words, cell in shown:
        lines += [_drawn(cell, x, y).replace(f"<title>{escape(cell.words)}</title>", ""), _text(x + 20, y + 12, words)]
        x += 20 + len(words) * _LETTER + 14
    return lines


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, *, quiet: bool = False) -> str:
    return (
        f'<text class="{"heat-quiet" if quiet else "heat-text"}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'font-size="{size}" fill="{QUIET if quiet else INK}">{escape(words)}</text>'
    )


def _turned(x: float, y: float, words: str) -> str:
    return (
        f'<text class="heat-quiet" transform="translate({x:.1f} {y:.1f}) rotate(-45)" font-size="11" '
        f'fill="{QUIET}">{escape(words)}</text>'
    )

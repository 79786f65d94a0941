"""How deep, and in how much code, a model still finds what is described. Pure.

It is read downward: who misses a needle in 16k tokens has a fact against them; who finds all of them may know the code
by heart, or may have guessed from the words of the description.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import AttemptOutcome
from suite.metrics import Share

NOTE: Final = "Read downward: a low share is evidence, a high one is not, since the code is public."


class Try(Struct, frozen=True):
    """One attempt at a needle; `found` is false where it is no answer. `tokens` is the size, `depth` from 0 to 1."""

    model: str
    task: str
    tokens: int
    depth: float
    outcome: AttemptOutcome
    found: bool = False


class Cell(Struct, frozen=True):
    """One depth of a row: the share found of the tasks answered, and how often there was no answer."""

    depth: float
    found: Share
    unanswered: int


class Row(Struct, frozen=True):
    """A model at one size. Repetitions of a task are averaged first. `others` counts what was no answer, by outcome."""

    model: str
    tokens: int
    found: Share
    cells: tuple[Cell, ...]
    others: dict[str, int]


def rows(tries: Iterable[Try]) -> list[Row]:
    """By model, then by size; the cells by depth."""
    grouped: dict[tuple[str, int], list[Try]] = defaultdict(list)
    for one in tries:
        grouped[one.model, one.tokens].append(one)
    return [_row(model, tokens, mine) for (model, tokens), mine in sorted(grouped.items())]


def _row(model: str, tokens: int, tries: Sequence[Try]) -> Row:
    others = Counter(str(one.outcome) for one in tries if one.outcome is not AttemptOutcome.ANSWERED)
    depths = sorted({one.depth for one in tries})
    cells = tuple(_cell(depth, [one for one in tries if one.depth == depth]) for depth in depths)
    return Row(model, tokens, _share(tries), cells, dict(sorted(others.items())))


def _cell(depth: float, tries: Sequence[Try]) -> Cell:
    return Cell(depth, _share(tries), sum(one.outcome is not AttemptOutcome.ANSWERED for one in tries))


def _share(tries: Sequence[Try]) -> Share:
    takes: dict[str, list[bool]] = defaultdict(list)
    for one in tries:
        if one.outcome is AttemptOutcome.ANSWERED:
            takes[one.task].append(one.found)
    return Share(sum(fmean(found) for found in takes.values()), float(len(takes)))

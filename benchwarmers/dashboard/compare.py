"""Two answers beside each other, and what one has that the other has not, to the word. Pure.

Lines that both have are found first, then words in what is left between them. Few words that happen to stand in both
are no common ground: between two changes they are taken for changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchwarmers.dashboard.differ import match

LONGEST: Final = 200_000
"""Characters of an answer that are compared."""
FOLDED: Final = 9
"""Lines alike from which on the middle of them is folded away."""
KEPT: Final = 2
"""Lines of them that stay in sight before and after."""
FEWEST: Final = 3
"""Words alike between two changes that are common ground."""
_UNIT: Final = re.compile(r"(?:\w+|[^\w\s])\s*|\s+")
_WORD: Final = re.compile(r"\w+")

SAME: Final = "same"
OUT: Final = "out"
IN: Final = "in"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text that both have (same), only the left one (out), or only the right one (in)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A stretch of both texts. What is alike has one `both`; `folded` is its middle, of so many `lines`, and `after`
    what follows the fold."""

    left: Sequence[Part] = ()
    right: Sequence[Part] = ()
    both: Sequence[Part] = ()
    folded: str = ""
    lines: int = 0
    after: str = ""

    @property
    def alike(self) -> bool:
        """True when nothing differs here."""
        return all(part.kind == SAME for part in self.both)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows in order; how many words only the left (`out`) and only the right (`added`) has; `cut` is True when one
    of them is longer than is compared."""

    rows: Sequence[Row]
    out: int
    added: int
    cut: bool

    @property
    def equal(self) -> bool:
        """True when the texts do not differ."""
        return all(row.alike for row in self.rows)


def compare(left: str, right: str) -> Comparison:
    """The two texts, row by row."""
    cut = max(len(left), len(right)) > LONGEST
    left, right = left[:LONGEST].replace("\r\n", "\n"), right[:LONGEST].replace("\r\n", "\n")
    rows: list[Row] = []
    for same, ours, theirs in _stretches(_lines(left), _lines(right)):
        rows += [_alike(ours)] if same else _changed("".join(ours), "".join(theirs))
    told = [part for row in rows for part in row.both]
    out, added = (sum(_count(part.text) for part in told if part.kind == kind) for kind in (OUT, IN))
    return Comparison([row for row in rows if row.both], out, added, cut)


def _lines(text: str) -> list[str]:
    """Lines, each with the empty ones that follow it."""
    found: list[list[str]] = []
    for line in text.splitlines(keepends=True):
        if found and not line.strip():
            found[-1].append(line)
        else:
            found.append([line])
    return ["".join(lines) for lines in found]


def _stretches(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
    """(whether they are alike, the left units, the right units), in order."""
    a = b = 0
    bare_left, bare_right = ([unit.rstrip() for unit in units] for units in (left, right))
    for begin, other, size in [*match(bare_left, bare_right), (len(left), len(right), 0)]:
        if begin > a or other > b:
            yield False, left[a:begin], right[b:other]
        if size:
            yield True, left[begin : begin + size], right[other : other + size]
        a, b = begin + size, other + size


def _alike(units: Sequence[str]) -> Row:
    if len(units) < FOLDED:
        return Row(both=[Part(SAME, "".join(units))])
    middle = "".join(units[KEPT:-KEPT])
    lines = middle.count("\n")
    return Row([], [], [Part(SAME, "".join(units[:KEPT]))], middle, lines, "".join(units[-KEPT:]))


def _changed(left: str, right: str) -> list[Row]:
    """The words of a changed stretch, in rows that end where both go on to a new line together."""
    rows: list[Row] = []
    ours: list[Part] = []
    theirs: list[Part] = []
    both: list[Part] = []
    for same, one, other in _calm(list(_stretches(_words(left), _words(right)))):
        if not same:
            ours += [Part(OUT, "".join(one))] if one else []
            theirs += [Part(IN, "".join(other))] if other else []
            both += [part for part in (Part(OUT, "".join(one)), Part(IN, "".join(other))) if part.text]
            continue
        begin = 0
        for at, (word, again) in enumerate(zip(one, other, strict=True), 1):
            if at < len(one) and not ("\n" in word and "\n" in again):
                continue
            told, told_again = "".join(one[begin:at]), "".join(other[begin:at])
            ours.append(Part(SAME, told))
            theirs.append(Part(SAME, told_again))
            both.append(Part(SAME, told_again))
            begin = at
            if "\n" in word and "\n" in again:
                rows.append(Row(ours, theirs, both))
                ours, theirs, both = [], [], []
    return [*rows, Row(ours, theirs, both)] if both else rows


Stretch = tuple[bool, Sequence[str], Sequence[str]]


def _calm(found: Sequence[Stretch]) -> Sequence[Stretch]:
    """The stretches without islands: a few words alike between two changes become part of these."""
    calm: list[tuple[bool, list[str], list[str]]] = []
    for number, (same, one, other) in enumerate(found):
        inside = 0 < number < len(found) - 1
        if same and inside and _is_island(one, other):
            same = False
        if calm and not same and not calm[-1][0]:
            calm[-1][1].extend(one)
            calm[-1][2].extend(other)
        else:
            calm.append((same, list(one), list(other)))
    return calm


def _is_island(one: Sequence[str], other: Sequence[str]) -> bool:
    if len(one) >= 2 * FEWEST or any("\n" in word and "\n" in again for word, again in zip(one, other, strict=True)):
        return False
    return sum(word[:1].isalnum() for word in one) < FEWEST


def _words(text: str) -> list[str]:
    """Words and signs, each with the space after it."""
    return _UNIT.findall(text)


def _count(text: str) -> int:
    return len(_WORD.findall(text))

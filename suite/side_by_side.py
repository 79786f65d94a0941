"""A planted change beside the code as it was: the lines of both in pairs, with what differs in each. Pure.

Lines come numbered (`12 | code`) where models are shown them so, and are numbered from 1 where not; what is compared is
the code alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from msgspec import Struct

AROUND: Final = 12
"""Lines that stay to be seen on each side of a change in long code."""
_NUMBERED: Final = re.compile(r"\s*(\d+) \|(?: (.*))?$")


class Line(Struct, frozen=True):
    """`number` is as it was shown or, in a text without numbers, as one counts; `before`, `changed` and `after`
    together are the line."""

    number: str
    before: str
    changed: str = ""
    after: str = ""
    key: bool = False

    @property
    def text(self) -> str:
        return self.before + self.changed + self.after


class Pair(Struct, frozen=True):
    """The same place in both; None where one of them has no such line. A `gap` of lines that are left out has
    neither."""

    planted: Line | None
    original: Line | None
    differs: bool = False
    gap: int = 0


def split_lines(text: str, keyed: Sequence[int] = ()) -> list[Line]:
    """The lines with their numbers apart; those whose number is in `keyed` are marked."""
    lines = text.splitlines()
    found = [_NUMBERED.match(line) for line in lines]
    if not any(found):
        return [Line(str(number), line, key=number in keyed) for number, line in enumerate(lines, 1)]
    return [
        Line(match[1], match[2] or "", key=int(match[1]) in keyed) if match else Line("", line)
        for match, line in zip(found, lines, strict=True)
    ]


def side_by_side(planted: str, original: str, keyed: Sequence[int] = ()) -> list[Pair]:
    """All of both, what is far from any difference left out."""
    left, right = split_lines(planted, keyed), split_lines(original)
    matcher = SequenceMatcher(None, [one.text for one in left], [one.text for one in right], autojunk=False)
    pairs: list[Pair] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        for one, other in zip_longest(left[i1:i2], right[j1:j2]):
            pairs.append(Pair(one, other) if tag == "equal" else _differing(one, other))
    return list(_shortened(pairs))


def _differing(one: Line | None, other: Line | None) -> Pair:
    if one is None or other is None:
        return Pair(one and _whole(one), other and _whole(other), differs=True)
    a, b = one.text, other.text
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return Pair(_cut(one, start, end), _cut(other, start, end), differs=True)


def _whole(line: Line) -> Line:
    return Line(line.number, "", line.text, "", line.key)


def _cut(line: Line, start: int, end: int) -> Line:
    text, last = line.text, len(line.text) - end
    return Line(line.number, text[:start], text[start:last], text[last:], line.key)


def _shortened(pairs: Sequence[Pair]) -> Iterator[Pair]:
    near: set[int] = set()
    for place, pair in enumerate(pairs):
        if pair.differs or (pair.planted is not None and pair.planted.key):
            near.update(range(place - AROUND, place + AROUND + 1))
    if not near or len(pairs) <= 5 * AROUND:
        yield from pairs
        return
    left_out = 0
    for place, pair in enumerate(pairs):
        if place in near:
            if left_out:
                yield Pair(None, None, gap=left_out)
            left_out = 0
            yield pair
        else:
            left_out += 1
    if left_out:
        yield Pair(None, None, gap=left_out)

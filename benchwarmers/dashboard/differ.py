"""What two texts have in common, by units that are given: lines or words. Pure, and bounded however long they are.

Units that each side has once hold the texts together (as in patience diffs); between them the shortest way from one to
the other is sought, as far as there are steps left. What is not found then counts as different, which is never wrong,
only longer to read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

MOST_EDITS: Final = 250
"""Edits between two anchors beyond which they are taken for different."""
MOST_STEPS: Final = 400_000
"""Steps for one pair of texts, a few tenths of a microsecond each."""

Match = tuple[int, int, int]
"""Where it begins on the left and on the right, and how many units it has."""


def match(left: Sequence[str], right: Sequence[str], steps: int = MOST_STEPS) -> list[Match]:
    """The runs that both have, in order and apart from each other."""
    found: list[Match] = []
    left_over = steps
    open_parts = [(0, len(left), 0, len(right))]
    while open_parts:
        a0, a1, b0, b1 = open_parts.pop()
        same = _common(left, right, a0, a1, b0, b1, 1)
        if same:
            found.append((a0, b0, same))
            a0, b0 = a0 + same, b0 + same
        same = _common(left, right, a0, a1, b0, b1, -1)
        if same:
            a1, b1 = a1 - same, b1 - same
            found.append((a1, b1, same))
        if a0 == a1 or b0 == b1:
            continue
        left_over -= a1 - a0 + b1 - b0
        if left_over <= 0:
            continue
        anchors = _anchors(left, right, a0, a1, b0, b1)
        if anchors:
            ends = [*anchors, (a1, b1)]
            begins = [(a0, b0), *((a + 1, b + 1) for a, b in anchors)]
            found += [(a, b, 1) for a, b in anchors]
            open_parts += [(a, c, b, d) for (a, b), (c, d) in zip(begins, ends, strict=True)]
        else:
            ways, used = _shortest(left[a0:a1], right[b0:b1], left_over)
            left_over -= used
            found += [(a0 + a, b0 + b, size) for a, b, size in ways]
    return _joined(sorted(found))


def _common(left: Sequence[str], right: Sequence[str], a0: int, a1: int, b0: int, b1: int, way: int) -> int:
    """How many units are alike from the beginning (1) or from the end (-1)."""
    most, count = min(a1 - a0, b1 - b0), 0
    a, b = (a0, b0) if way == 1 else (a1 - 1, b1 - 1)
    while count < most and left[a + way * count] == right[b + way * count]:
        count += 1
    return count


def _anchors(left: Sequence[str], right: Sequence[str], a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int]]:
    """Units that both sides have once: the longest row of them that is in order on both."""
    ones = Counter(left[a0:a1])
    others = Counter(right[b0:b1])
    place = {right[at]: at for at in range(b0, b1) if others[right[at]] == 1}
    pairs = [(at, place[left[at]]) for at in range(a0, a1) if ones[left[at]] == 1 and left[at] in place]
    ends: list[int] = []
    row: list[int] = []
    before: list[int] = []
    for number, (_, b) in enumerate(pairs):
        at = bisect_left(ends, b)
        before.append(row[at - 1] if at else -1)
        ends[at : at + 1] = [b]
        row[at : at + 1] = [number]
    chain, number = [], row[-1] if row else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _shortest(left: Sequence[str], right: Sequence[str], steps: int) -> tuple[list[Match], int]:
    """The matches of the shortest edit, none when it takes too many edits or steps; and the steps it took."""
    n, m = len(left), len(right)
    reach = {1: 0}
    trail: list[dict[int, int]] = []
    used = 0
    for edits in range(min(MOST_EDITS, n + m) + 1):
        trail.append(dict(reach))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            x = reach[k + 1] if down else reach[k - 1] + 1
            y = begin = x - k
            while x < n and y < m and left[x] == right[y]:
                x, y = x + 1, y + 1
            reach[k] = x
            used += y - begin + 2
            if x >= n and y >= m:
                return _walk_back(trail, n, m), used
        if used > steps:
            break
    return [], used


def _walk_back(trail: Sequence[dict[int, int]], x: int, y: int) -> list[Match]:
    found: list[Match] = []
    for edits in range(len(trail) - 1, -1, -1):
        reach, k = trail[edits], x - y
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        before = k + 1 if down else k - 1
        x0 = reach[before]
        begin = x0 if down else x0 + 1
        if edits == 0:
            begin = 0
        if x > begin:
            found.append((begin, begin - k, x - begin))
        x, y = x0, x0 - before
    return found


def _joined(found: Sequence[Match]) -> list[Match]:
    joined: list[Match] = []
    for a, b, size in found:
        if joined and (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]) == (a, b):
            joined[-1] = (*joined[-1][:2], joined[-1][2] + size)
        else:
            joined.append((a, b, size))
    return joined

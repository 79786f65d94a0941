"""Names beside dots, so that none lies on another or on a dot: each is tried at fixed places around its dot, the
nearest first, and left out where none is free. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from benchwarmers.charts.marks import width_of

HIGH: Final = 13.0
"""Of a line of a label."""
GAP: Final = 4.0
SHIFTS: Final = (0.0, -12.0, 12.0, -24.0, 24.0, -36.0, 36.0)
"""How far from the height of its dot a label may stand."""


class Spot(NamedTuple):
    """A dot that wants its name beside it."""

    x: float
    y: float
    radius: float
    words: str


class Label(NamedTuple):
    """Where a name stands: `x` is its left end or, with the anchor "end", its right one; `y` its base line. `far` when
    a line should lead to its dot."""

    x: float
    y: float
    anchor: str
    words: str
    far: bool


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def place_labels(spots: Sequence[Spot], field: Box, kept: Sequence[Box] = ()) -> list[Label | None]:
    """A label for each spot, in their order, which is also who comes first; None where no place is free. Nothing stands
    outside `field` or on what is `kept` free."""
    dots = [Box(s.x - s.radius, s.y - s.radius, s.x + s.radius, s.y + s.radius) for s in spots]
    taken: list[Box] = list(kept)
    labels: list[Label | None] = []
    for spot, own in zip(spots, dots, strict=True):
        placed = _place(spot, own, dots, taken, field)
        if placed is not None:
            taken.append(placed[1])
        labels.append(placed[0] if placed else None)
    return labels


def _place(spot: Spot, own: Box, dots: Sequence[Box], taken: Sequence[Box], field: Box) -> tuple[Label, Box] | None:
    wide = width_of(spot.words)
    for shift in SHIFTS:
        for anchor in ("start", "end"):
            x = spot.x + (spot.radius + GAP) * (1 if anchor == "start" else -1)
            left = x if anchor == "start" else x - wide
            middle = spot.y + shift
            box = Box(left, middle - HIGH / 2, left + wide, middle + HIGH / 2)
            if not field.holds(box) or any(box.meets(other) for other in taken):
                continue
            if any(other is not own and box.meets(other) for other in dots):
                continue
            return Label(x, middle + 4, anchor, spot.words, abs(shift) > HIGH), box
    return None

"""How long answers to the short question took, as a band on a scale that all models share. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from django.utils.translation import gettext as _

from probes.health.trends import nearest_rank

WIDTH: Final = 100
LEAST_S, MOST_S = 0.2, 90.0
"""The ends of the scale, which is logarithmic; 90 s is as long as a short question may take."""
TICKS: Final = (1.0, 10.0)


@dataclass(frozen=True, slots=True)
class Pace:
    """The median and the time that 95 of 100 answers stay below, in seconds, of so many answers; where they are drawn
    on the scale."""

    p50_s: float
    p95_s: float
    answers: int

    @property
    def left(self) -> float:
        return place(self.p50_s)

    @property
    def wide(self) -> float:
        """At least a hair, so that a steady model has a band too."""
        return round(max(place(self.p95_s) - self.left, 1.0), 1)

    @property
    def words(self) -> str:
        """The drawing in a sentence."""
        return _("half of %(count)d answers within %(p50)s s, 95 of 100 within %(p95)s s") % {
            "count": self.answers,
            "p50": f"{self.p50_s:.1f}",
            "p95": f"{self.p95_s:.1f}",
        }


def pace_of(seconds: Sequence[float]) -> Pace | None:
    """Of the times of answers; None without one."""
    p50, p95 = nearest_rank(seconds, 0.5), nearest_rank(seconds, 0.95)
    return None if p50 is None or p95 is None else Pace(p50, p95, len(seconds))


def place(seconds: float) -> float:
    """Where so many seconds lie, from 0 to WIDTH."""
    held = min(max(seconds, LEAST_S), MOST_S)
    return round(WIDTH * log(held / LEAST_S) / log(MOST_S / LEAST_S), 1)

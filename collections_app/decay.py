"""Sums that forget: pure. A verdict counts half after a half-life, a quarter after two.

A sum is kept together with the time it is told for. Adding to it needs no look at what was added before, in whatever
order things come, and the same things give the same sum at any later time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Lately:
    """Decayed sums as of `at`: of the means of verdicts, and of the pieces of work that were judged. `at` None says
    that nothing was ever added."""

    useful: float = 0.0
    judged: float = 0.0
    at: datetime | None = None

    @property
    def not_useful(self) -> float:
        return self.judged - self.useful

    def told_at(self, when: datetime, half_life_days: float) -> Lately:
        """The same sums as they stand at another time."""
        if self.at is None:
            return self
        left = weight((when - self.at).total_seconds(), half_life_days)
        return Lately(self.useful * left, self.judged * left, when)

    def plus(self, other: Lately, half_life_days: float) -> Lately:
        """Both together, told for the later of the two times."""
        if self.at is None or other.at is None:
            return other if self.at is None else self
        when = max(self.at, other.at)
        mine, theirs = self.told_at(when, half_life_days), other.told_at(when, half_life_days)
        return Lately(mine.useful + theirs.useful, mine.judged + theirs.judged, when)

    def negative(self) -> Lately:
        """What takes this out of a sum again."""
        return Lately(-self.useful, -self.judged, self.at)


def weight(age_s: float, half_life_days: float) -> float:
    """What is left of 1 after so many seconds; more than 1 before its time."""
    return float(0.5 ** (age_s / (half_life_days * DAY_S)))

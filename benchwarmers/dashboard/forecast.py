"""When a month's budget ends at the present pace. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

WEEK: Final = 7
USED_UP: Final = "used up"
LASTS: Final = "lasts"


@dataclass(frozen=True, slots=True)
class Forecast:
    """`ends` is the day on which nothing is left; None when the budget lasts until it starts anew."""

    words: str
    ends: date | None = None

    @property
    def short(self) -> bool:
        """True when it does not last."""
        return self.words != LASTS


def forecast(amount: int, used: int, week: int, days: int, today: date, resets: date) -> Forecast:
    """What becomes of a budget of `amount` of which `used` is gone, and which starts anew on `resets`.

    `week` was used in the last `days` days, today among them: that is the pace. All amounts in the budget's unit.
    """
    if used >= amount:
        return Forecast(USED_UP, today)
    # Days until it ends are (amount - used) / (week / days), in whole numbers.
    left = (amount - used) * days // week if week > 0 else None
    if left is None or left >= (resets - today).days:
        return Forecast(LASTS)
    ends = today + timedelta(days=left)
    return Forecast(f"ends about {ends.day} {ends:%B}", ends)

"""From numbers to places on a drawing, and the round numbers beside its axes. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isclose, log10
from typing import Final

STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
DECADE: Final = (1.0, 2.0, 5.0)
FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers from `low` to `high` lie between the places `start` and `end`, which may run backwards. With `log`
    equal ratios are equally long; both ends are then above 0."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a number; one beyond the ends is put at the nearer end."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, value = log10(low), log10(high), log10(value)
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers within the ends, `most` of them at most where that can be."""
        return log_ticks(self.low, self.high) if self.log else round_ticks(self.low, self.high, most)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`."""
    if high <= low:
        return [low]
    rough = (high - low) / max(most - 1, 1)
    power = 10.0 ** floor(log10(rough))
    step = next(one * power for one in STEPS if one * power >= rough or isclose(one * power, rough))
    first = ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten from `low` to `high`; powers of ten alone over many decades; the ends where
    nothing else lies between them."""
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    within = [float(f"{one}e{power}") for power in decades for one in DECADE]
    found = [one for one in within if low * (1 - 1e-9) <= one <= high * (1 + 1e-9)]
    if len(found) > 2 * FEW:
        found = [one for one in found if isclose(log10(one), round(log10(one)), abs_tol=1e-9)]
    return found if len(found) > 1 else [low, high]

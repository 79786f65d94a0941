"""How far a judge can be trusted, and what its verdicts amount to once its own errors are taken out. Pure: the same
verdicts give the same digits.

The share of claims that a judge calls true is not the share that is true. Where it calls `s` of the true ones true
(sensitivity) and `t` of the false ones false (specificity), a share `p` called true means that the share
(p + t - 1) / (s + t - 1) is true (Rogan and Gladen). Its interval holds all three uncertainties.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from typing import Final

from msgspec import Struct

from collections_app.intervals import LEVEL, Interval, wilson

FEWEST: Final = 30
FEWEST_EACH: Final = 8
"""Of true and of false claims: with fewer, one of the two errors is not measured at all."""
DRAWS: Final = 2_000
HALF: Final = 0.5
"""What is added to each count before a draw (Jeffreys), so that a judge who never erred in thirty trials is not taken
to be without fault."""


class Rates(Struct, frozen=True):
    """`sensed` of `trues` true claims were called true, `refused` of `falses` false ones false. `silent` trials brought
    no verdict and count in neither."""

    sensed: int = 0
    trues: int = 0
    refused: int = 0
    falses: int = 0
    silent: int = 0

    @property
    def trials(self) -> int:
        return self.trues + self.falses

    @property
    def sensitivity(self) -> Interval | None:
        return wilson(self.sensed, self.trues)

    @property
    def specificity(self) -> Interval | None:
        return wilson(self.refused, self.falses)

    @property
    def gain(self) -> Interval | None:
        """By how much more often a true claim is called true than a false one is: 0 by chance. The bounds are
        Newcombe's for a difference of shares."""
        sense, wrong = self.sensitivity, wilson(self.falses - self.refused, self.falses)
        if sense is None or wrong is None:
            return None
        gain = sense.share - wrong.share
        low = gain - sqrt((sense.share - sense.low) ** 2 + (wrong.high - wrong.share) ** 2)
        high = gain + sqrt((sense.high - sense.share) ** 2 + (wrong.share - wrong.low) ** 2)
        return Interval(gain, low, high)

    @property
    def why_not(self) -> str:
        """Why this judge must not judge; empty when it may."""
        if self.trials < FEWEST:
            return f"its error is known from {self.trials} trials and {FEWEST} are needed"
        if min(self.trues, self.falses) < FEWEST_EACH:
            kind = "true" if self.trues < self.falses else "false"
            return f"it was tried on {min(self.trues, self.falses)} {kind} claims and {FEWEST_EACH} are needed"
        if self.gain is None or self.gain.low <= 0:
            return "it cannot be told from chance"
        return ""


class Corrected(Struct, frozen=True):
    """What a judge makes of one model's claims: `claims` in `answers`, the share it called true, and the share that is
    true by its error rates, with the interval that holds it in 95 of 100 draws."""

    model: str
    answers: int
    claims: int
    apparent: float
    corrected: float
    low: float
    high: float


def rates(trials: Iterable[tuple[bool, bool | None]]) -> Rates:
    """From (truth, what the judge said)."""
    sensed = trues = refused = falses = silent = 0
    for truth, said in trials:
        if said is None:
            silent += 1
        elif truth:
            trues, sensed = trues + 1, sensed + said
        else:
            falses, refused = falses + 1, refused + (not said)
    return Rates(sensed, trues, refused, falses, silent)


def correct(model: str, measured: Rates, answers: Sequence[tuple[int, int]], *, seed: int = 0) -> Corrected | None:
    """The corrected share of one model's claims; `answers` has (claims called true, claims judged) of each of its
    answers, which stand or fall together. None where nothing was judged."""
    judged = [(hits, of) for hits, of in answers if of]
    if not judged:
        return None
    claims = sum(of for _, of in judged)
    apparent = sum(hits for hits, _ in judged) / claims
    sense, specific = measured.sensitivity, measured.specificity
    if sense is None or specific is None:
        raise ValueError("the judge's error is not measured")
    point = _truth(apparent, sense.share, specific.share)
    point = apparent if point is None else point
    rng = Random(f"judged {seed}")  # noqa: S311 it draws a sample, it guards nothing
    draws = sorted(_draw(rng, measured, judged, claims / len(judged)) for _ in range(DRAWS))
    cut = round(DRAWS * (1 - LEVEL) / 2)
    low, high = min(draws[cut], point), max(draws[-cut - 1], point)
    return Corrected(model, len(judged), claims, apparent, point, low, high)


def _draw(rng: Random, measured: Rates, judged: Sequence[tuple[int, int]], size: float) -> float:
    """One share that may be the true one. Answers are weighed at random; two made-up half ones, all true and all false,
    keep a handful of answers that agree from looking certain."""
    sense = rng.betavariate(measured.sensed + HALF, measured.trues - measured.sensed + HALF)
    specific = rng.betavariate(measured.refused + HALF, measured.falses - measured.refused + HALF)
    hits = rng.gammavariate(HALF, 1.0) * size
    total = hits + rng.gammavariate(HALF, 1.0) * size
    for true, of in judged:
        weight = rng.expovariate(1.0)
        hits, total = hits + weight * true, total + weight * of
    truth = _truth(hits / total, sense, specific)
    return rng.random() if truth is None else truth


def _truth(apparent: float, sensitivity: float, specificity: float) -> float | None:
    """None for error rates with which a verdict says nothing."""
    gain = sensitivity + specificity - 1
    return min(max((apparent + specificity - 1) / gain, 0.0), 1.0) if gain > 0 else None

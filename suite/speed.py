"""How fast models answer, by the speed sweep's probes: a tiny and a large prompt, each with its median and its slow
end, not a mean. It measures the whole way to a model and back. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AttemptOutcome
from probes.asking import worst
from probes.health.trends import nearest_rank
from probes.questions import LARGE, TINY

PROMPTS: Final = (TINY.name, LARGE.name)
QUIET: Final = 0.15
"""A change of the median by less is the day's weather."""
LARGE_CHARACTERS: Final = 8_000
"""A question of more characters is a large one."""


class Timed(Struct, frozen=True):
    """One probing call of a sweep. Times are seconds from the sending; `sweep` names the sweep, later ones are
    greater."""

    model: str
    prompt: str
    sweep: int
    at: datetime
    answered: bool
    refusal: bool = False
    failure: str = ""
    account_wide: bool = False
    detail: str = ""
    seconds: float = 0.0
    first_token_s: float | None = None
    tokens_out: int | None = None
    characters: int | None = None

    @property
    def outcome(self) -> AttemptOutcome:
        if self.refusal:
            return AttemptOutcome.REFUSED
        if self.answered:
            return AttemptOutcome.ANSWERED
        if self.failure == FailureClass.TIMEOUT:
            return AttemptOutcome.TIMEOUT
        return AttemptOutcome.EMPTY if self.failure == FailureClass.EMPTY else AttemptOutcome.ERROR


class Speed(Struct, frozen=True):
    """One model and prompt in its latest sweep. `n` calls; times are seconds of answered calls, by nearest rank, None
    without one. `chars_per_s` and `tokens_per_s` are medians over answers to the large prompt, counted from the first
    token on; None where not known. `trend` is the change of the median against the sweep before as a part of it, None
    where it is quiet or there is nothing to compare with."""

    model: str
    prompt: str
    at: datetime
    n: int
    outcomes: dict[str, int]
    p50: float | None = None
    p95: float | None = None
    least: float | None = None
    most: float | None = None
    chars_per_s: float | None = None
    tokens_per_s: float | None = None
    trend: float | None = None
    worst: str = ""
    detail: str = ""


def speeds(calls: Iterable[Timed]) -> list[Speed]:
    """By model, the tiny prompt first. Each has its latest sweep, compared with the last before it with an answer."""
    grouped: dict[tuple[str, int], dict[int, list[Timed]]] = defaultdict(lambda: defaultdict(list))
    for call in calls:
        if call.prompt in PROMPTS:
            grouped[call.model, PROMPTS.index(call.prompt)][call.sweep].append(call)
    return [_speed(grouped[key]) for key in sorted(grouped)]


def trend(now: float | None, before: float | None) -> float | None:
    """The change as a part of what it was, where it is worth a word."""
    if now is None or not before:
        return None
    change = now / before - 1
    return change if abs(change) >= QUIET else None


def failing_large(calls: Iterable[Timed]) -> frozenset[str]:
    """Models that are asked no large question: the latest large probe that says something of them was not answered. Who
    was never probed so is not among them."""
    latest: dict[str, Timed] = {}
    for call in calls:
        if call.prompt == LARGE.name and not call.account_wide:
            known = latest.get(call.model)
            if known is None or call.at >= known.at:
                latest[call.model] = call
    return frozenset(model for model, call in latest.items() if not call.answered)


def _speed(sweeps: dict[int, list[Timed]]) -> Speed:
    newest, *older = sorted(sweeps, reverse=True)
    calls = sorted(sweeps[newest], key=lambda call: call.at)
    times = _times(calls)
    before = next((found for one in older if (found := nearest_rank(_times(sweeps[one]), 0.5)) is not None), None)
    p50 = nearest_rank(times, 0.5)
    large = calls[0].prompt == LARGE.name
    return Speed(
        model=calls[0].model,
        prompt=calls[0].prompt,
        at=max(call.at for call in calls),
        n=len(calls),
        outcomes=dict(sorted(Counter(str(call.outcome) for call in calls).items())),
        p50=p50,
        p95=nearest_rank(times, 0.95),
        least=min(times, default=None),
        most=max(times, default=None),
        chars_per_s=_rate(calls, "characters") if large else None,
        tokens_per_s=_rate(calls, "tokens_out") if large else None,
        trend=trend(p50, before),
        worst=worst(call.failure for call in calls if call.failure),
        detail=next((call.detail for call in reversed(calls) if call.detail), "")[:300],
    )


def _times(calls: Sequence[Timed]) -> list[float]:
    return [call.seconds for call in calls if call.outcome is AttemptOutcome.ANSWERED]


def _rate(calls: Sequence[Timed], name: str) -> float | None:
    """The median of what came each second after the first token. What came all at once has no such speed."""
    rates = []
    for call in calls:
        came, first = getattr(call, name), call.first_token_s
        if call.outcome is AttemptOutcome.ANSWERED and came and first is not None and call.seconds > first:
            rates.append(came / (call.seconds - first))
    return median(rates) if rates else None

"""Rounds: every target is visited in each, so that a machine's moods hit all alike. A figure is the median of rounds,
a ratio that of the rounds' own. Processor time is told for each reply: a crowded machine moves it far less than
the rate."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import uvloop

from bench.client import Request, Run
from bench.targets import Target

Figures = dict[str, float]
WARMING_S = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """A way of asking a target: how many at once, for how long."""

    name: str
    target: Target
    request: Request
    callers: int
    seconds: float


class Failed(Exception):
    """A target refused, or broke connections; the text says how often."""


class Found:
    """What came of every visit, by case and target."""

    def __init__(self) -> None:
        self.visits: dict[str, dict[str, list[Figures]]] = {}

    def keep(self, case: str, target: str, figures: Figures) -> None:
        self.visits.setdefault(case, {}).setdefault(target, []).append(figures)

    def median(self, case: str, target: str, key: str) -> float:
        return statistics.median(figures[key] for figures in self.visits[case][target])

    def ratio(self, case: str, target: str, base: str, key: str, base_case: str = "") -> float:
        """How many times the base's figure this one is, in the rounds that visited both."""
        pairs = zip(self.visits[case][target], self.visits[base_case or case][base], strict=False)
        return statistics.median(one[key] / other[key] for one, other in pairs)


def take(case: Case, *, warming: bool = False) -> Figures:
    """One visit. Times in milliseconds, processor time in milliseconds a reply: `cpu_ms` of the process that answers,
    `all_cpu_ms` of everything it needs.

    :raises Failed: not every reply was a 200, or none came in time, which does not matter while it is `warming`.
    """
    target, seconds = case.target, min(case.seconds, WARMING_S) if warming else case.seconds
    served, whole = target.served_s(), target.all_s()
    tally = uvloop.run(Run(case.request, case.callers, seconds).go())
    served, whole = target.served_s() - served, target.all_s() - whole
    told = tally.told()
    if told["errors"] or told["refused"] or not (tally.whole or warming):
        raise Failed(f"{target.name}, {case.name}: {told['errors']} broken, statuses {dict(tally.statuses)}")
    if case.request.mark and not (tally.first_event or warming):
        raise Failed(f"{target.name}, {case.name}: streams without events")
    figures = {"per_s": told["per_s"], "events_per_s": told["events_per_s"]}
    figures |= {"cpu_ms": served * 1000 / tally.replies, "all_cpu_ms": whole * 1000 / tally.replies}
    for kind in ("whole", "first_byte", "first_event"):
        figures |= {f"{kind}_{share}_ms": value for share, value in told.get(f"{kind}_ms", {}).items()}
    return figures


def visit(cases: Sequence[Case], rounds: int) -> Found:
    """All cases so many times, after a visit to each that only warms it."""
    found = Found()
    for case in cases:
        take(case, warming=True)
    for number in range(rounds):
        for case in (one for one in cases if number < one.target.rounds):
            found.keep(case.name, case.target.name, take(case))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return found

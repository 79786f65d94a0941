"""How fast a model answered over the last month and when it did not, drawn as SVG. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from statistics import median
from typing import Final

DAYS: Final = 30
WIDTH: Final = 600
HEIGHT: Final = 120
FLOOR: Final = 104
"""Failures are drawn below this line, times above it."""
LEAST_S: Final = 1.0
"""The scale reaches at least so far, so that a fast model is not drawn as a storm."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: `prompt` is tiny or large; `failure` is the class where no answer came."""

    at: datetime
    prompt: str
    answered: bool
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark in the drawing. `kind` is tiny, large or failed."""

    x: float
    y: float
    kind: str
    words: str

    @property
    def left(self) -> float:
        """Where the bar of a failure begins."""
        return round(self.x - 1.5, 1)


@dataclass(frozen=True, slots=True)
class Trend:
    """`top_s` is the time at the upper edge; `lines` are the paths through the dots of each size; `failures` the
    classes of each day that had any; `words` the drawing in a sentence."""

    first: date
    last: date
    top_s: float
    dots: Sequence[Dot]
    lines: Sequence[tuple[str, str]]
    failures: Mapping[date, str]
    words: str


def draw_trend(probes: Iterable[Probe], now: datetime, zone: tzinfo) -> Trend | None:
    """The last DAYS days; None where nothing was asked."""
    last = now.astimezone(zone).date()
    first = last - timedelta(days=DAYS - 1)
    shown = sorted((one for one in probes if one.at.astimezone(zone).date() >= first), key=lambda one: one.at)
    if not shown:
        return None
    top = max([LEAST_S, *(one.seconds for one in shown if one.answered)])
    begin = datetime(first.year, first.month, first.day, tzinfo=zone)
    span = max((now - begin).total_seconds(), 1.0)
    dots = [_dot(one, (one.at - begin).total_seconds() / span, top, zone) for one in shown]
    lines = [(kind, path) for kind in ("large", "tiny") if (path := _path(dots, kind))]
    return Trend(first, last, top, dots, lines, _failures(shown, zone), _words(shown))


def _dot(one: Probe, share: float, top: float, zone: tzinfo) -> Dot:
    when = f"{one.at.astimezone(zone):%-d %b %H:%M}"
    x = round(6 + share * (WIDTH - 12), 1)
    if not one.answered:
        return Dot(x, (FLOOR + HEIGHT) / 2, "failed", f"{when}: {one.failure or 'no answer'}")
    return Dot(x, round(FLOOR - 8 - one.seconds / top * (FLOOR - 16), 1), one.prompt, f"{when}: {one.seconds:.1f} s")


def _path(dots: Iterable[Dot], kind: str) -> str:
    points = [f"{dot.x} {dot.y}" for dot in dots if dot.kind == kind]
    return f"M{'L'.join(points)}" if len(points) > 1 else ""


def _failures(shown: Iterable[Probe], zone: tzinfo) -> dict[date, str]:
    by_day: dict[date, Counter[str]] = defaultdict(Counter)
    for one in shown:
        if not one.answered:
            by_day[one.at.astimezone(zone).date()][one.failure or "other"] += 1
    return {
        day: ", ".join(f"{name} {times}×" if times > 1 else name for name, times in sorted(failures.items()))
        for day, failures in by_day.items()
    }


def _words(shown: Sequence[Probe]) -> str:
    times = [one.seconds for one in shown if one.answered and one.prompt == "tiny"]
    pace = f", a short one in {median(times):.1f} s as a rule" if times else ""
    return f"{sum(one.answered for one in shown)} of {len(shown)} questions were answered{pace}"

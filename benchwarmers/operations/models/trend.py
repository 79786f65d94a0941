"""How a model answered over the last month, day by day: a strip of whether it did and a band of how fast, drawn as SVG
on one scale of time. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from django.utils.translation import gettext as _

from benchwarmers.operations.models import pace
from benchwarmers.operations.models.strip import Strip, draw_strip
from probes.health.status import TINY
from probes.health.trends import nearest_rank

DAYS: Final = 30
STEP: Final = 20
"""How wide a day is."""
HEIGHT: Final = 100
LARGE: Final = "large"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: `prompt` is tiny or large; `failure` is the class where no answer came. What is `account_wide` says
    nothing of the model."""

    at: datetime
    prompt: str
    answered: bool
    seconds: float
    failure: str = ""
    account_wide: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """The questions of one size on a day. Seconds are of answered ones, None without one."""

    asked: int = 0
    answered: int = 0
    p50_s: float | None = None
    p95_s: float | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """How one day went for the short question and the large one, and what failed."""

    day: date
    short: Size
    large: Size
    failures: str = ""

    @property
    def asked(self) -> bool:
        return bool(self.short.asked or self.large.asked or self.failures)


@dataclass(frozen=True, slots=True)
class Trend:
    """`days` are all of them, the oldest first. `band` is the path around the times of short questions, `line` the one
    through their medians, `large` the one through those of large questions; `dots` are (x, y) of days that have no
    neighbour. `words` tells all of it in a sentence, `speed` the times alone."""

    days: Sequence[Day]
    strip: Strip
    band: str
    line: str
    large: str
    dots: Sequence[tuple[float, float]]
    words: str
    speed: str

    @property
    def told(self) -> list[Day]:
        """Those on which something was asked, the newest first."""
        return [day for day in reversed(self.days) if day.asked]

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Where the lines of the scale are, and what they say."""
        return [(_y(seconds), f"{seconds:.0f} s") for seconds in pace.TICKS]

    @property
    def wide(self) -> int:
        return len(self.days) * STEP


def draw_trend(probes: Iterable[Probe], now: datetime, zone: tzinfo) -> Trend | None:
    """The last DAYS days; None where nothing was asked."""
    last = now.astimezone(zone).date()
    span = [last - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    by_day: dict[date, list[Probe]] = defaultdict(list)
    for one in probes:
        by_day[one.at.astimezone(zone).date()].append(one)
    shown = [one for day in span for one in by_day.get(day, ())]
    if not shown:
        return None
    days = [_day(day, by_day.get(day, [])) for day in span]
    short = [one for one in shown if one.prompt == TINY]
    runs = _runs([day.short for day in days])
    return Trend(
        days=days,
        strip=draw_strip(((one.at, one.answered, one.failure) for one in short), last, zone, DAYS),
        band="".join(map(_around, runs)),
        line="".join(map(_through, runs)),
        large="".join(map(_through, _runs([day.large for day in days], joined=True))),
        dots=[run[0][:2] for run in runs if len(run) == 1],
        words=_words(shown),
        speed=_speed([one.seconds for one in short if one.answered]),
    )


Point = tuple[float, float, float]
"""Where a day lies, how high its median, and how high the time that 95 of 100 keep."""


def _day(day: date, asked: Sequence[Probe]) -> Day:
    failures = Counter(one.failure or "other" for one in asked if not one.answered)
    told = ", ".join(f"{name} {times}×" if times > 1 else name for name, times in sorted(failures.items()))
    return Day(day, _size(asked, TINY), _size(asked, LARGE), told)


def _size(asked: Sequence[Probe], prompt: str) -> Size:
    mine = [one for one in asked if one.prompt == prompt and not one.account_wide]
    seconds = [one.seconds for one in mine if one.answered]
    return Size(len(mine), len(seconds), nearest_rank(seconds, 0.5), nearest_rank(seconds, 0.95))


def _runs(sizes: Sequence[Size], *, joined: bool = False) -> list[list[Point]]:
    """Days with answers that follow each other: nothing is drawn over a gap, unless they are to be joined."""
    runs: list[list[Point]] = []
    gap = True
    for place, size in enumerate(sizes):
        if size.p50_s is None or size.p95_s is None:
            gap = True
            continue
        if not runs or (gap and not joined):
            runs.append([])
        runs[-1].append(((place + 0.5) * STEP, _y(size.p50_s), _y(size.p95_s)))
        gap = False
    return runs


def _around(run: Sequence[Point]) -> str:
    if len(run) == 1:
        x, low, high = run[0]
        return f"M{x - 3} {low}H{x + 3}V{high}H{x - 3}Z"
    upper = [f"{x} {high}" for x, _low, high in run]
    lower = [f"{x} {low}" for x, low, _high in reversed(run)]
    return f"M{'L'.join([*upper, *lower])}Z"


def _through(run: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x} {low}" for x, low, _high in run) if len(run) > 1 else ""


def _y(seconds: float) -> float:
    return round(HEIGHT - pace.place(seconds) * HEIGHT / pace.WIDTH, 1)


def _words(shown: Sequence[Probe]) -> str:
    told = {"answered": sum(one.answered for one in shown), "asked": len(shown)}
    return _("%(answered)d of %(asked)d questions were answered") % told


def _speed(seconds: Sequence[float]) -> str:
    short = pace.pace_of(seconds)
    return _("no short question was answered") if short is None else short.words

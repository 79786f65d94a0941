"""Times of day in a time zone, and which of them is due. Pure: the time comes in, in any zone.

A time that the clock skips in spring counts right after the gap; one that comes twice in autumn counts the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

LOOK_BACK: Final = timedelta(days=7)
"""What was missed longer ago than this is not made up."""
LATE: Final = timedelta(minutes=5)
LOOK_AHEAD_DAYS: Final = 366 * 8
"""A 29 February comes within eight years."""
_WEEKDAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_ALL_DAYS: Final = frozenset(range(7))
_ALL_DATES: Final = frozenset(range(1, 32))
_ALL_MONTHS: Final = frozenset(range(1, 13))


class Times(Struct, frozen=True):
    """Minutes and hours on the days that fit all three of dates (1-31), months (1-12) and weekdays (0 is Sunday)."""

    minutes: frozenset[int]
    hours: frozenset[int]
    zone: str
    dates: frozenset[int] = _ALL_DATES
    months: frozenset[int] = _ALL_MONTHS
    weekdays: frozenset[int] = _ALL_DAYS

    @property
    def words(self) -> str:
        """As people say it, without the zone: `daily at 05:00`, `Monday at 07:00`."""
        return f"{self._days()} at {self._clock()}"

    def _days(self) -> str:
        days = [_WEEKDAYS[day] for day in sorted(self.weekdays, key=lambda day: (day - 1) % 7)]
        said = ["daily"] if self.weekdays == _ALL_DAYS else [_join(days)]
        if self.dates != _ALL_DATES:
            said.append("on day " + _join([str(day) for day in sorted(self.dates)]) + " of the month")
        if self.months != _ALL_MONTHS:
            said.append("in month " + _join([str(month) for month in sorted(self.months)]))
        return " ".join(said)

    def _clock(self) -> str:
        times = [f"{hour:02d}:{minute:02d}" for hour in sorted(self.hours) for minute in sorted(self.minutes)]
        if len(times) > 8:
            return f"{_join(times[:3])} and {len(times) - 3} times more"
        return _join(times)


def due_slot(times: Times, last: datetime, now: datetime) -> datetime | None:
    """The newest time in (`last`, `now`] that is not too old; None when there is none. Those before it are past."""
    after = max(last, now - LOOK_BACK)
    zone = ZoneInfo(times.zone)
    day, first = now.astimezone(zone).date(), after.astimezone(zone).date()
    while day >= first:
        within = [slot for slot in _slots(times, day, zone) if after < slot <= now]
        if within:
            return max(within)
        day -= timedelta(days=1)
    return None


def next_slot(times: Times, now: datetime) -> datetime | None:
    """The first time after `now`; None when none comes within years, as on 31 February."""
    zone = ZoneInfo(times.zone)
    today = now.astimezone(zone).date()
    for ahead in range(LOOK_AHEAD_DAYS):
        coming = [slot for slot in _slots(times, today + timedelta(days=ahead), zone) if slot > now]
        if coming:
            return min(coming)
    return None


def is_late(slot: datetime, now: datetime) -> bool:
    """Whether work that begins now makes up for what was missed."""
    return now - slot > LATE


def _slots(times: Times, day: date, zone: ZoneInfo) -> Iterator[datetime]:
    """The moments of one local day, in UTC."""
    weekday = (day.weekday() + 1) % 7
    if day.day not in times.dates or day.month not in times.months or weekday not in times.weekdays:
        return
    for hour in times.hours:
        for minute in times.minutes:
            # Of a time that is not there, the offset before the change is taken, which moves it behind the gap.
            yield datetime.combine(day, time(hour, minute), tzinfo=zone).astimezone(UTC)


def _join(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))

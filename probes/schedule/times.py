"""Times of day as people write them, in the five fields of a crontab: read, and refused with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from zoneinfo import ZoneInfo

from celery.schedules import ParseException, crontab_parser

from collections_app.refusal import Problems
from probes.schedule.due import Times

FIELDS: Final[dict[str, tuple[int, int, str]]] = {
    "hour": (24, 0, "Hours are 0 to 23, such as 5 or 3,9,15,21."),
    "minute": (60, 0, "Minutes are 0 to 59, such as 0 or 0,30."),
    "day_of_week": (7, 0, "Weekdays are 0 (Sunday) to 6, or names such as mon,thu; * is every day."),
    "day_of_month": (31, 1, "Days of the month are 1 to 31; * is every day."),
    "month_of_year": (12, 1, "Months are 1 to 12; * is every month."),
}
"""By field: how many values there are, the first of them, and what is right."""
LONGEST: Final = 64
MOST_A_DAY: Final = 48
TOO_OFTEN: Final = f"That is more often than {MOST_A_DAY} times a day."


def read_times(fields: Mapping[str, str], zone: str) -> Times:
    """The times that these five fields mean in a zone.

    :raises Refused: with every field that cannot be read.
    """
    problems, read = Problems(), dict[str, frozenset[int]]()
    for name, (count, first, right) in FIELDS.items():
        found = _expand(fields.get(name, "*").replace(" ", ""), count, first)
        problems.check(bool(found), name, right)
        read[name] = found
    problems.check(len(read["hour"]) * len(read["minute"]) <= MOST_A_DAY, "minute", TOO_OFTEN)
    problems.refuse()
    return Times(
        minutes=read["minute"],
        hours=read["hour"],
        zone=str(ZoneInfo(zone)),
        dates=read["day_of_month"],
        months=read["month_of_year"],
        weekdays=read["day_of_week"],
    )


def _expand(text: str, count: int, first: int) -> frozenset[int]:
    """Empty for what cannot be read."""
    if len(text) > LONGEST:
        return frozenset()
    try:
        return frozenset(crontab_parser(count, first).parse(text.lower()))
    except (ParseException, ValueError, IndexError):
        return frozenset()

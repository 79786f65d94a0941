"""Sums of whole days over everybody, by each column alone, so that a year of usage costs what a month does. Sync.

They are made of the sums by day, for days that are over for good: today's and yesterday's are still written. Who writes
a sum of an earlier day all the same (a recorder that could not write, a rebuild) removes the day's shares in the same
transaction; until they are made anew, the pages read that day's own sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Min, Sum

from gateway.engine.batch_usage import COUNTS
from gateway.models import UsageDay, UsageShare

BY: Final = ("owner_id", "key_id", "team_id", "collection_name", "alias", "connection", "purpose")
STILL_WRITTEN: Final = timedelta(days=1)
"""So long after a day its sums may still grow."""


def fold_usage(today: date) -> int:
    """Make the shares of every day that is over and has none; how many days."""
    first = UsageDay.objects.aggregate(first=Min("day"))["first"]
    if first is None:
        return 0
    over = (first + timedelta(days=number) for number in range((today - STILL_WRITTEN - first).days))
    folded = folded_days(first, today)
    # One look for each day that has none: which days there are, no database finds without reading every sum.
    days = [day for day in over if day not in folded and UsageDay.objects.filter(day=day).exists()]
    for day in days:
        _fold_day(day)
    return len(days)


def folded_days(first: date, last: date) -> set[date]:
    """The days of these that have shares; both ends count."""
    return set(UsageShare.objects.filter(by="", day__gte=first, day__lte=last).values_list("day", flat=True))


def _fold_day(day: date) -> None:
    with transaction.atomic():
        if connection.vendor == "postgresql":
            # Whoever writes a sum of this day removes its shares in the same transaction. After this line each of them
            # either has committed both, or waits with the second until we are done and then removes what we made.
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {UsageShare._meta.db_table} IN EXCLUSIVE MODE")
        UsageShare.objects.filter(day=day).delete()
        UsageShare.objects.bulk_create(_shares(day), batch_size=500)


def _shares(day: date) -> Iterator[UsageShare]:
    sums = {f"n_{name}": Sum(name) for name in COUNTS}
    found = UsageDay.objects.filter(day=day).order_by()
    whole = found.aggregate(**sums)
    yield UsageShare(day=day, **{name: whole[f"n_{name}"] or 0 for name in COUNTS})
    for by in BY:
        for row in found.values(by).annotate(**sums):
            yield UsageShare(day=day, by=by, value=str(row[by]), **{name: row[f"n_{name}"] for name in COUNTS})

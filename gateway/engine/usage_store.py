"""Makes the sums of usage anew from the ledger, day by day. Sync."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from collections_app.models import GatewayKey, Team
from gateway.engine.batch_usage import COUNTS, NOT_FAILED, day_of
from gateway.engine.usage_shares import fold_usage
from gateway.models import Call, UsageDay, UsageShare
from gateway.models.usage import USAGE_KEY

_IDS: Final = ("owner_id", "key_id", "team_id")
_TEXTS: Final = ("caller", "collection_name", "alias", "connection", "purpose")
_ADDED: Final = ("requests", "attempts", "tokens_in", "tokens_out", "cached", "cache_write", "reasoning", "cost")


def rebuild_usage(between: Callable[[int, int], None] = lambda done, of: None) -> int:
    """Make the sums of every day anew that the ledger still holds; how many days. `between` hears after each day how
    many of how many are done, and may raise to end it: what was done stays.

    A day before the ledger's first row keeps its sums, for its rows were deleted. So does the day of that first row
    wherever its sums are larger than what is left of it.
    """
    held = Call.objects.aggregate(first=Min("at"), last=Max("at"))
    if held["first"] is None:
        return 0
    summed_to = UsageDay.objects.aggregate(last=Max("day"))["last"]
    oldest, last = day_of(held["first"]), max(day_of(held["last"]), summed_to or date.min)
    days = [oldest + timedelta(days=number) for number in range((last - oldest).days + 1)]
    for number, day in enumerate(days, 1):
        _rebuild_day(day, keep_larger=day == oldest)
        between(number, len(days))
    fold_usage(timezone.localdate())
    return len(days)


def bounds_of(day: date) -> tuple[datetime, datetime]:
    """When the day begins and when the next one does, in the server's time zone."""
    zone = timezone.get_default_timezone()
    return datetime.combine(day, time(), zone), datetime.combine(day + timedelta(days=1), time(), zone)


def calls_of(day: date) -> QuerySet[Call]:
    """The ledger's rows of a day."""
    begins, ends = bounds_of(day)
    return Call.objects.filter(at__gte=begins, at__lt=ends)


def _rebuild_day(day: date, *, keep_larger: bool) -> None:
    with transaction.atomic():
        if connection.vendor == "postgresql":
            # Whoever writes the ledger adds to the sums in the same transaction. After this line each of them either
            # has committed both, or waits with the second until we are done and then adds to what we made.
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {UsageDay._meta.db_table} IN EXCLUSIVE MODE")
        anew = {row_key(row): row for row in _summed(day)}
        kept = UsageDay.objects.filter(day=day)
        if keep_larger:
            for row in _as_ledger_names(kept):
                made = anew.setdefault(row_key(row), row)
                for name in COUNTS:
                    setattr(made, name, max(getattr(made, name), getattr(row, name)))
        kept.delete()
        for row in anew.values():
            row.pk = None
        UsageDay.objects.bulk_create(anew.values(), batch_size=500)
        UsageShare.objects.filter(day=day).delete()


def _as_ledger_names(rows: Iterable[UsageDay]) -> Iterable[UsageDay]:
    """The rows of a person, key or team that is gone with those of nobody: the ledger's own rows have lost it too."""
    there: dict[str, set[int]] = {
        "owner_id": set(User.objects.values_list("pk", flat=True)),
        "key_id": set(GatewayKey.objects.values_list("pk", flat=True)),
        "team_id": set(Team.objects.values_list("pk", flat=True)),
    }
    sums: dict[tuple[Any, ...], UsageDay] = {}
    for row in rows:
        for name in _IDS:
            if getattr(row, name) not in there[name]:
                setattr(row, name, 0)
        held = sums.setdefault(row_key(row), row)
        if held is not row:
            for name in COUNTS:
                setattr(held, name, getattr(held, name) + getattr(row, name))
    return sums.values()


def row_key(row: UsageDay) -> tuple[Any, ...]:
    """The values of USAGE_KEY."""
    return tuple(getattr(row, name) for name in USAGE_KEY)


def _summed(day: date) -> Iterator[UsageDay]:
    groups = (
        calls_of(day)
        .order_by()
        .values(*_TEXTS, **{f"of_{name}": Coalesce(F(name), Value(0)) for name in _IDS})
        .annotate(
            n_calls=Count("pk"),
            n_failed=Count("pk", filter=~Q(status__in=NOT_FAILED)),
            n_unpriced=Count("pk", filter=Q(cost__isnull=True)),
            n_seconds=Sum("seconds"),
            **{f"n_{name}": Coalesce(Sum(name), Value(0)) for name in _ADDED},
        )
    )
    for group in groups.iterator(chunk_size=2000):
        yield UsageDay(
            day=day,
            **{name: group[name] for name in _TEXTS},
            **{name: group[f"of_{name}"] for name in _IDS},
            **{name: group[f"n_{name}"] for name in COUNTS},
        )

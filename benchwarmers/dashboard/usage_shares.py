"""Adds up usage for a page: whole days that are over from their shares, where these tell enough, and the rest from the
sums by day. Never writes.

Shares are of everybody together and by one column alone. So they serve whoever sees all usage and has not narrowed it,
which is who would have most to add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum

from benchwarmers.dashboard.usage_filters import UsageFilters
from benchwarmers.sight import SEES_USAGE
from gateway.engine.usage_shares import folded_days
from gateway.models import UsageDay, UsageShare

DAY: Final = "day"
Sums = dict[tuple[Any, ...], list[int]]
"""The sums of some counts, by the values of some columns."""


def add_up(
    person: User,
    filters: UsageFilters,
    narrowed: QuerySet[UsageDay],
    columns: Sequence[str],
    counts: Sequence[str],
    values: Iterable[Any] | None = None,
) -> Sums:
    """`columns` are `day`, another one, or both with the day first; `values` narrow to some of the other's. `narrowed`
    are the sums by day that the person asks for."""
    others = [column for column in columns if column != DAY]
    chosen = None if values is None else list(values)
    if chosen is not None:
        narrowed = narrowed.filter(**{f"{others[0]}__in": chosen})
    sums: Sums = {}
    folded = folded_days(filters.first, filters.last) if _serve(person, filters) else set()
    if folded:
        narrowed = narrowed.filter(day__in=_between(filters.first, filters.last) - folded)
        shares = UsageShare.objects.filter(by="".join(others), day__gte=filters.first, day__lte=filters.last)
        if chosen is not None:
            shares = shares.filter(value__in=[str(value) for value in chosen])
        names = ["value" if column in others else DAY for column in columns]
        number = bool(others) and others[0].endswith("_id")
        for row in _summed(shares.order_by(), names, counts):
            held = [
                int(value) if number and name == "value" else value for name, value in zip(names, row, strict=False)
            ]
            _add(sums, tuple(held), row[len(names) :])
    for row in _summed(narrowed, columns, counts):
        _add(sums, tuple(row[: len(columns)]), row[len(columns) :])
    return sums


def _serve(person: User, filters: UsageFilters) -> bool:
    return not filters.only and person.has_perm(SEES_USAGE)


def _between(first: date, last: date) -> set[date]:
    return {first + timedelta(days=number) for number in range((last - first).days + 1)}


def _summed(found: QuerySet[Any], columns: Sequence[str], counts: Sequence[str]) -> Any:
    return found.values_list(*columns).annotate(*(Sum(name) for name in counts))


def _add(sums: Sums, key: tuple[Any, ...], more: Sequence[int]) -> None:
    held = sums.setdefault(key, [0] * len(more))
    for place, number in enumerate(more):
        held[place] += number

"""What the page of usage reads: the sums of a person's days, by group and by day. Never writes.

Everything comes from the sums by day, never from the ledger's rows, so that a year costs what its days cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from benchwarmers.dashboard import usage_shares
from benchwarmers.dashboard.usage_filters import COLUMNS, IDS, UsageFilters
from benchwarmers.sight import visible_usage
from collections_app.models import GatewayKey, Team
from gateway.models import UsageDay

SUMMED: Final = (
    *("requests", "calls", "failed", "unpriced"),
    *("tokens_in", "tokens_out", "cached", "cache_write", "reasoning", "cost"),
)
PAGE: Final = 50
NOBODY: Final = {"person": "nobody by name", "key": "no key", "team": "no team"}
NOTHING: Final = {"collection": "no collection", "purpose": "panel"}
"""What stands where the ledger has no text: a seat of a panel has no purpose of its own."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Counts of calls and tokens; `cost` in nano-dollars, over the calls whose price is known."""

    requests: int = 0
    calls: int = 0
    failed: int = 0
    unpriced: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.tokens_in + self.tokens_out

    @property
    def failures(self) -> float:
        """The share of calls that failed, in percent."""
        return 100 * self.failed / self.calls if self.calls else 0.0

    def counted(self, show: str) -> int:
        """One of usage_filters.SHOWN."""
        return int(getattr(self, show))


@dataclass(frozen=True, slots=True)
class Group:
    """One line of the table. `value` is what the address says to narrow the page to it, empty for a day."""

    name: str
    value: str
    sums: Sums
    day: date | None = None


def narrow_usage(person: User, filters: UsageFilters) -> QuerySet[UsageDay]:
    """The sums this person may see, of the days and of what the page is narrowed to."""
    found = visible_usage(person).filter(day__gte=filters.first, day__lte=filters.last)
    return found.filter(**columns_of(filters)).order_by()


def columns_of(filters: UsageFilters) -> dict[str, Any]:
    """What the page is narrowed to, by column of the sums."""
    return {
        COLUMNS[name]: (0 if value == "-" else int(value)) if name in IDS else ("" if value == "-" else value)
        for name, value in filters.only.items()
    }


def load_groups(person: User, filters: UsageFilters) -> list[Group]:
    """Every group, sorted as the page is. Four queries at most."""
    column = COLUMNS[filters.by]
    found = usage_shares.add_up(person, filters, narrow_usage(person, filters), [column], SUMMED)
    rows = [(key[0], *sums) for key, sums in found.items()]
    names = load_names(filters.by, [row[0] for row in rows])
    if filters.by == "day":
        return sort_days([Group(names[row[0]], "", Sums(*row[1:]), row[0]) for row in rows], filters.sort)
    groups = [Group(names[row[0]], value_of(row[0]), Sums(*row[1:])) for row in rows]
    return sort_groups(groups, filters.sort)


def load_days(person: User, filters: UsageFilters, values: Iterable[Any]) -> dict[tuple[date, Any], int]:
    """What the plot counts, by day and value of the group's column, for these values alone."""
    column = COLUMNS[filters.by]
    narrowed = narrow_usage(person, filters)
    found = usage_shares.add_up(person, filters, narrowed, ["day", column], _counts(filters.show), values)
    return {(key[0], key[1]): sum(sums) for key, sums in found.items()}


def load_totals_by_day(person: User, filters: UsageFilters) -> dict[date, int]:
    """What the plot counts, over all groups."""
    found = usage_shares.add_up(person, filters, narrow_usage(person, filters), ["day"], _counts(filters.show))
    return {key[0]: sum(sums) for key, sums in found.items()}


def add_up(groups: Iterable[Group]) -> Sums:
    """The sums over all groups."""
    rows = [group.sums for group in groups]
    return Sums(**{name: sum(getattr(row, name) for row in rows) for name in SUMMED})


def sort_groups(groups: list[Group], sort: str) -> list[Group]:
    """By name or by a sum; those that are alike by name."""
    column, down = sort.removeprefix("-"), sort.startswith("-")
    by_name = sorted(groups, key=lambda group: group.name.casefold(), reverse=down and column == "name")
    if column == "name":
        return by_name
    return sorted(by_name, key=lambda group: int(getattr(group.sums, column)), reverse=down)


def sort_days(groups: list[Group], sort: str) -> list[Group]:
    """Names of days sort as days do, and the newest comes first where they are alike."""
    column, down = sort.removeprefix("-"), sort.startswith("-")
    by_day = sorted(groups, key=lambda group: group.name, reverse=column != "name" or down)
    if column == "name":
        return by_day
    return sorted(by_day, key=lambda group: int(getattr(group.sums, column)), reverse=down)


def value_of(held: Any) -> str:
    """How the address names a value of the group's column."""
    return str(held or "-")


def load_names(by: str, values: Iterable[Any]) -> Mapping[Any, str]:
    """What people call these values of the group's column; one query where they are ids."""
    held = set(values)
    if by not in IDS:
        return {value: str(value) or NOTHING.get(by, "unknown") for value in held}
    found: dict[int, str] = {}
    if by == "person":
        found = dict(User.objects.filter(pk__in=held).values_list("pk", "username"))
    elif by == "team":
        found = dict(Team.objects.filter(pk__in=held).values_list("pk", "name"))
    else:
        found = {key.pk: str(key) for key in GatewayKey.objects.filter(pk__in=held).only("name", "hint")}
    return {value: found.get(value) or (f"{by} {value}, deleted" if value else NOBODY[by]) for value in held}


def _counts(show: str) -> tuple[str, ...]:
    return ("tokens_in", "tokens_out") if show == "tokens" else (show,)

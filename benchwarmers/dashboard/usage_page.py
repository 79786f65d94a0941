"""The page of usage as its template takes it: the table's page, the totals, the plot and what narrows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User

from benchwarmers.dashboard import usage_sums
from benchwarmers.dashboard.usage_filters import COLUMNS, GROUPS, IDS, UsageFilters
from benchwarmers.dashboard.usage_plot import SERIES, Plot, stack
from benchwarmers.dashboard.usage_sums import PAGE, Group, Sums
from benchwarmers.sight import SEES_USAGE, visible_usage


@dataclass(frozen=True, slots=True)
class Narrowed:
    """One thing that the page is narrowed to, and the address of the page without it."""

    label: str
    name: str
    without: str


@dataclass(frozen=True, slots=True)
class UsagePage:
    """`rows` are those of the table's page; `pages` how many there are; `number` all groups; `shown` what
    the plot counts."""

    filters: UsageFilters
    rows: Sequence[Group]
    number: int
    pages: int
    totals: Sums
    shown: str
    plot: Plot
    narrowed: Sequence[Narrowed]

    @property
    def lines(self) -> list[tuple[Group, str]]:
        """The rows, each with the query string of what lies behind it."""
        return [(row, self.filters.into(row.value, row.day).here) for row in self.rows]

    @property
    def ends(self) -> tuple[date, date]:
        """The first and the last day of the plot."""
        return self.filters.first, self.filters.last

    @property
    def earlier(self) -> str:
        """The query string of the page before this one, empty on the first."""
        return self.filters.on_page(self.filters.page - 1).here if self.filters.page > 1 else ""

    @property
    def later(self) -> str:
        """The query string of the page after this one, empty on the last."""
        return self.filters.on_page(self.filters.page + 1).here if self.filters.page < self.pages else ""


def load_usage(person: User, filters: UsageFilters) -> UsagePage:
    """What this person sees of what they ask for. Four queries, and at most two more for each kind of id that
    the page is narrowed to."""
    groups = usage_sums.load_groups(person, filters)
    pages = max(1, -(-len(groups) // PAGE))
    filters = filters.on_page(min(filters.page, pages))
    begin = (filters.page - 1) * PAGE
    totals = usage_sums.add_up(groups)
    # Where nothing has a price, a plot of cost would be an empty one.
    shown = filters.show or ("cost" if totals.counted("cost") else "tokens")
    return UsagePage(
        filters=filters,
        rows=groups[begin : begin + PAGE],
        number=len(groups),
        pages=pages,
        totals=totals,
        shown=shown,
        plot=_load_plot(person, filters.counting(shown), groups),
        narrowed=[_narrowed(person, filters, name, value) for name, value in filters.only.items()],
    )


def _load_plot(person: User, filters: UsageFilters, groups: list[Group]) -> Plot:
    """Those groups that count most have a layer of their own; days alone have one layer."""
    totals = usage_sums.load_totals_by_day(person, filters)
    if filters.by == "day":
        return stack(filters.first, filters.last, [], {}, totals)
    largest = sorted(groups, key=lambda group: (-group.sums.counted(filters.show), group.name))[:SERIES]
    ranked = [(_held(filters.by, group), group.name) for group in largest if group.sums.counted(filters.show)]
    counts = usage_sums.load_days(person, filters, [value for value, _ in ranked]) if ranked else {}
    return stack(filters.first, filters.last, ranked, counts, totals)


def _held(by: str, group: Group) -> int | str:
    """The value of the group's column."""
    if group.value == "-":
        return 0 if by in IDS else ""
    return int(group.value) if by in IDS else group.value


def _narrowed(person: User, filters: UsageFilters, name: str, value: str) -> Narrowed:
    """Whoever tries numbers in the address learns no name that their own usage does not show."""
    column = COLUMNS[name]
    held = usage_sums.columns_of(filters)[column]
    hidden = name in IDS and held and not person.has_perm(SEES_USAGE)
    if hidden and not visible_usage(person).filter(**{column: held}).exists():
        told = f"{name} {value}"
    else:
        told = usage_sums.load_names(name, [held])[held]
    return Narrowed(str(GROUPS[name]), told, filters.narrowed(name, "").here)

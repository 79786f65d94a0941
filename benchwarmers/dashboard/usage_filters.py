"""What the page of usage is asked for, as its address says it: the days, what is counted and by what, and what it is
narrowed to. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

PERIODS: Final = {
    "today": _("Today"),
    "7d": _("7 days"),
    "30d": _("30 days"),
    "month": _("This month"),
    "year": _("365 days"),
    "custom": _("From … to …"),
}
LONGEST_DAYS: Final = 1830
GROUPS: Final = {
    "model": _("Model"),
    "connection": _("Connection"),
    "collection": _("Collection"),
    "person": _("Person"),
    "key": _("Key"),
    "team": _("Team"),
    "purpose": _("Purpose"),
    "day": _("Day"),
}
COLUMNS: Final = {
    "model": "alias",
    "connection": "connection",
    "collection": "collection_name",
    "person": "owner_id",
    "key": "key_id",
    "team": "team_id",
    "purpose": "purpose",
    "day": "day",
}
"""The column of a sum, and of the ledger but for `day`, that a group goes by."""
IDS: Final = frozenset({"person", "key", "team"})
SHOWN: Final = {"cost": _("Cost"), "tokens": _("Tokens"), "requests": _("Requests"), "calls": _("Calls")}
"""What the plot can count."""
SORTS: Final = ("name", "requests", "calls", "tokens_in", "tokens_out", "cached", "reasoning", "cost", "failed")
NARROWED: Final = tuple(name for name in GROUPS if name != "day")
DEFAULTS: Final = {"period": "30d", "by": "model", "show": "", "sort": "-cost"}


@dataclass(frozen=True, slots=True)
class UsageFilters:
    """`first` and `last` are days, both counted. `show` is one of SHOWN, or empty for what says most. `sort` begins
    with a minus where the most comes first. `only` has a value for each group that the page is narrowed to: an id,
    or a name; `-` stands for where there is none."""

    period: str
    first: date
    last: date
    by: str = "model"
    show: str = ""
    sort: str = "-cost"
    page: int = 1
    only: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, query: QueryDict, today: date) -> UsageFilters:
        """From the address; what it says amiss is passed over."""
        period = query.get("period", "")
        period = period if period in PERIODS else DEFAULTS["period"]
        first, last = days_of(period, today, query.get("from", ""), query.get("to", ""))
        by, show, sort = query.get("by", ""), query.get("show", ""), query.get("sort", "")
        page = query.get("page", "")
        return cls(
            period=period,
            first=first,
            last=last,
            by=by if by in GROUPS else DEFAULTS["by"],
            show=show if show in SHOWN else DEFAULTS["show"],
            sort=sort if sort.removeprefix("-") in SORTS else DEFAULTS["sort"],
            page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 7 and int(page) else 1,
            only={name: given for name in NARROWED if (given := _narrowing(name, query.get(name, "")))},
        )

    @property
    def days(self) -> int:
        """How many days are counted."""
        return (self.last - self.first).days + 1

    @property
    def here(self) -> str:
        """The query string of exactly this page."""
        pairs: dict[str, object] = {}
        for name, default in DEFAULTS.items():
            if getattr(self, name) != default:
                pairs[name] = getattr(self, name)
        if self.period == "custom":
            pairs |= {"from": self.first.isoformat(), "to": self.last.isoformat()}
        if self.page > 1:
            pairs["page"] = self.page
        return "?" + urlencode(pairs | self.only)

    def sorted_by(self, column: str) -> UsageFilters:
        """The same, sorted by this column; the other way round where it is already. Numbers begin with the most."""
        first = column if column == "name" else f"-{column}"
        other = f"-{column}" if column == "name" else column
        return replace(self, sort=other if self.sort == first else first, page=1)

    def narrowed(self, name: str, value: str) -> UsageFilters:
        """The same, narrowed to a value of this group, or by an empty one no longer narrowed to any."""
        rest = {key: held for key, held in self.only.items() if key != name}
        return replace(self, only=rest | ({name: value} if value else {}), page=1)

    def over(self, period: str) -> UsageFilters:
        """The same over another of the PERIODS."""
        return replace(self, period=period, page=1)

    def grouped(self, by: str) -> UsageFilters:
        """The same by another of the GROUPS."""
        return replace(self, by=by, page=1)

    def counting(self, show: str) -> UsageFilters:
        """The same with a plot of another of SHOWN."""
        return replace(self, show=show)

    def into(self, value: str, day: date | None = None) -> UsageFilters:
        """What lies behind a line of the table: that group by day, or that day by model."""
        if day is not None:
            return replace(self, period="custom", first=day, last=day, by="model", page=1)
        return replace(self.narrowed(self.by, value), by="day")

    def on_page(self, page: int) -> UsageFilters:
        """Another page of the same table."""
        return replace(self, page=page)


def days_of(period: str, today: date, first: str = "", last: str = "") -> tuple[date, date]:
    """The first and the last day of a period. A custom one without a day that can be read is the last 30 days; the
    days may come in any order, and only so many are counted, up to the last."""
    match period:
        case "today":
            return today, today
        case "7d":
            return today - timedelta(days=6), today
        case "month":
            return today.replace(day=1), today
        case "year":
            return today - timedelta(days=364), today
        case "custom":
            ends = _day(last) or today
            begins, ends = sorted((_day(first) or ends - timedelta(days=29), ends))
            return max(begins, ends - timedelta(days=LONGEST_DAYS - 1)), ends
        case _:
            return today - timedelta(days=29), today


def _day(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if date(2000, 1, 1) <= found <= date(2200, 1, 1) else None


def _narrowing(name: str, given: str) -> str:
    """The value, where it can be one."""
    if name in IDS:
        return given if given == "-" or (given.isascii() and given.isdigit() and len(given) < 19) else ""
    return given[:100]

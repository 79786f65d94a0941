"""The plot of usage in words and as a table: for those who do not see it, and for whoever wants the numbers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchwarmers.dashboard.templatetags.bench import thousands
from benchwarmers.dashboard.templatetags.money import dollars
from benchwarmers.dashboard.usage_plot import Plot

MOST_DAYS: Final = 62
"""Of more days the table tells months."""


@dataclass(frozen=True, slots=True)
class PlotTable:
    """`heads` are the layers, the largest first; a row is a day or a month with the sum of all and of each layer."""

    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]


def say_plot(plot: Plot, show: str) -> str:
    """What one sees, in sentences."""
    totals = [sum(counts) for counts in zip(*(one.counts for one in plot.series), strict=True)]
    if not any(totals):
        return _("Nothing in these days.")
    top = max(range(len(totals)), key=totals.__getitem__)
    first = ngettext("%(sum)s in %(days)s day", "%(sum)s in %(days)s days", len(totals)) % {
        "sum": write(sum(totals), show),
        "days": len(totals),
    }
    told = _("%(first)s, most on %(day)s: %(top)s.") % {
        "first": first,
        "day": date_format(plot.days[top], "j F Y"),
        "top": write(totals[top], show),
    }
    if len(plot.series) < 2:
        return told
    largest = max(plot.series, key=lambda one: sum(one.counts))
    share = 100 * sum(largest.counts) // sum(totals)
    return told + " " + _("The largest part is %(name)s with %(share)s %%.") % {"name": largest.name, "share": share}


def table_plot(plot: Plot, show: str) -> PlotTable:
    """The numbers of the plot, the newest first."""
    many = len(plot.days) > MOST_DAYS
    sums: dict[date, list[int]] = {}
    for at, day in enumerate(plot.days):
        row = sums.setdefault(day.replace(day=1) if many else day, [0] * len(plot.series))
        for place, one in enumerate(plot.series):
            row[place] += one.counts[at]
    form = "F Y" if many else "j M Y"
    rows = [
        (date_format(day, form), [write(sum(row), show), *(write(count, show) for count in row)])
        for day, row in sorted(sums.items(), reverse=True)
    ]
    return PlotTable([one.name for one in plot.series], rows)


def write(count: int, show: str) -> str:
    """A number of what the plot counts, as people read it."""
    return dollars(count) if show == "cost" else thousands(count)

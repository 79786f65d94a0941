"""Who to trust: how much of what is there a model finds, against how often it is sure of something false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing
from benchwarmers.charts.scatter import Axis, Point, draw_scatter
from benchwarmers.charts.table import NAME, SHARE, Column, Table
from benchwarmers.operations.benchmarks.figures.sizes import FULL, NARROW, percent
from collections_app.intervals import Interval
from suite.metrics import Sheet

BELOW: Final = 0.05
"""The axis of recall begins so far below the weakest."""
LEAST_WRONG: Final = 0.1
"""The axis of confidently wrong reaches at least so far."""
HALF, QUARTER = 0.5, 0.25
"""The field one wants to be in: the better half by recall, the best quarter of what is shown by being wrong."""


def trust(sheets: Sequence[Sheet], shown: slice) -> Figure:
    """Of the models with both numbers, the most asked first; `shown` says which of them are drawn."""
    every = tellable(sheets)
    rows = every[shown]
    figure = Figure(
        name="trust",
        title=_("Who to trust"),
        how=_(
            "To the right: of all findings in texts, how many it located. Upwards: of its chances to be sure of "
            "something false, how few it took. The thin lines show between what each number lies in 95 of 100 cases. "
            "The field marks the better half of recall and the best quarter of confidence. Names that find no room are"
            " in the table."
        ),
        table=_table(rows),
        says=_says(rows, _field(every)) if rows else "",
        empty=_("Nobody has answered both texts with findings and tasks in which one can be wrong with confidence."),
    )
    if not rows:
        return figure
    return show(figure, _draw(rows, every, FULL), _draw(rows, every, NARROW))


def tellable(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The models with both numbers, those with most tasks first."""
    found = [one for one in sheets if one.recall.of and one.wrongs.of]
    return sorted(found, key=lambda one: (-one.tasks, one.model))


def _draw(rows: Sequence[Sheet], every: Sequence[Sheet], size: tuple[float, float]) -> Drawing:
    low, worst = _low(every), max(LEAST_WRONG, *(one.wrongs.share or 0.0 for one in every))
    recall, wrong = _field(every)
    return draw_scatter(
        [_point(one) for one in rows],
        Axis(_("Recall: findings located"), low, 1.0, percent),
        Axis(_("Confidently wrong, less is better"), 0.0, min(worst * 1.05, 1.0), percent, falls=True),
        size,
        target=(recall, wrong, _("where you want them")),
    )


def _field(every: Sequence[Sheet]) -> tuple[float, float]:
    """(recall from which on, confidently wrong up to which) the target reaches."""
    low, worst = _low(every), max(LEAST_WRONG, *(one.wrongs.share or 0.0 for one in every))
    return low + (1.0 - low) * HALF, worst * QUARTER


def _low(every: Sequence[Sheet]) -> float:
    return max(0.0, min(one.recall.share or 0.0 for one in every) - BELOW)


def _point(one: Sheet) -> Point:
    recall, wrong = _share(one.recall.interval), _share(one.wrongs.interval)
    words = _("%(model)s: recall %(recall)s, confidently wrong %(wrong)s, %(tasks)s tasks answered") % {
        "model": one.model,
        "recall": _told(recall),
        "wrong": _told(wrong),
        "tasks": one.tasks,
    }
    return Point(one.model, recall.share, wrong.share, words, recall, wrong)


def _says(rows: Sequence[Sheet], field: tuple[float, float]) -> str:
    best = max(rows, key=lambda one: (one.recall.share or 0.0, -(one.wrongs.share or 0.0)))
    safest = min(rows, key=lambda one: (one.wrongs.share or 0.0, -(one.recall.share or 0.0)))
    inside = sorted(
        one.model for one in rows if (one.recall.share or 0.0) >= field[0] and (one.wrongs.share or 0.0) <= field[1]
    )
    found = _("%(model)s finds most (%(share)s), %(safe)s is least often sure of something false (%(wrong)s).") % {
        "model": best.model,
        "share": percent(best.recall.share or 0.0),
        "safe": safest.model,
        "wrong": percent(safest.wrongs.share or 0.0),
    }
    if not inside:
        return found + " " + _("None of them stands where you want them.")
    told = ngettext("%(names)s stands where you want them.", "%(names)s stand where you want them.", len(inside)) % {
        "names": names_of(inside)
    }
    return f"{found} {told}"


def names_of(models: Sequence[str], most: int = 5) -> str:
    """Some names, and how many more there are."""
    told = ", ".join(models[:most])
    more = len(models) - most
    return told if more <= 0 else _("%(names)s and %(more)s more") % {"names": told, "more": more}


def _table(rows: Sequence[Sheet]) -> Table:
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("tasks", _("Tasks")),
            Column("recall", _("Recall"), SHARE),
            Column("confidently_wrong", _("Confidently wrong"), SHARE),
        ],
        [[one.model, one.tasks, one.recall.interval, one.wrongs.interval] for one in rows],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )


def _share(interval: Interval | None) -> Interval:
    return interval or Interval(0.0, 0.0, 1.0)


def _told(interval: Interval) -> str:
    return f"{interval.share:.0%} ({interval.low:.0%}\u2013{interval.high:.0%})"

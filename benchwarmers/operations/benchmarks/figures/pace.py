"""Speed: how long a model takes for an answer, against how much it finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing
from benchwarmers.charts.scatter import Axis, Point, draw_scatter
from benchwarmers.charts.table import NAME, SECONDS, SHARE, Column, Table
from benchwarmers.operations.benchmarks.figures.sizes import FULL, NARROW, percent, short_seconds
from suite.metrics import Sheet

AROUND: Final = (0.8, 1.25)
"""The axis of seconds reaches from so much of the fastest to so much of the slowest."""


def pace(sheets: Sequence[Sheet], shown: slice) -> Figure:
    """Of the models with a recall and a time, the most asked first."""
    every = timed(sheets)
    rows = every[shown]
    figure = Figure(
        name="pace",
        title=_("Speed"),
        how=_(
            "To the right: the median time of an answer to the suite, each step ten times as long. Upwards: of all "
            "findings in texts, how many it located, with the range in which that lies in 95 of 100 cases. Up and to "
            "the left is where it is both fast and good."
        ),
        table=_table(rows),
        says=_says(rows) if rows else "",
        empty=_("No timings: nobody has answered a text with findings in a time that is known."),
    )
    return show(figure, _draw(rows, every, FULL), _draw(rows, every, NARROW)) if rows else figure


def timed(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The models with a recall and a median time, those with most tasks first."""
    found = [one for one in sheets if one.recall.of and one.seconds]
    return sorted(found, key=lambda one: (-one.tasks, one.model))


def _draw(rows: Sequence[Sheet], every: Sequence[Sheet], size: tuple[float, float]) -> Drawing:
    times = [one.seconds or 0.0 for one in every]
    low = max(0.0, min(one.recall.share or 0.0 for one in every) - 0.05)
    return draw_scatter(
        [_point(one) for one in rows],
        Axis(_("Median time of an answer"), min(times) * AROUND[0], max(times) * AROUND[1], short_seconds, log=True),
        Axis(_("Recall: findings located"), low, 1.0, percent),
        size,
    )


def _point(one: Sheet) -> Point:
    words = _("%(model)s: %(seconds).1f s an answer, recall %(recall)s") % {
        "model": one.model,
        "seconds": one.seconds or 0.0,
        "recall": percent(one.recall.share or 0.0),
    }
    seconds, recall = one.seconds or 0.0, one.recall.share or 0.0
    return Point(one.model, seconds, recall, words, None, one.recall.interval)


def _says(rows: Sequence[Sheet]) -> str:
    fastest = min(rows, key=lambda one: one.seconds or 0.0)
    best = max(rows, key=lambda one: (one.recall.share or 0.0, -(one.seconds or 0.0)))
    values = {
        "fast": fastest.model,
        "fast_s": fastest.seconds or 0.0,
        "fast_recall": percent(fastest.recall.share or 0.0),
        "best": best.model,
        "best_s": best.seconds or 0.0,
        "best_recall": percent(best.recall.share or 0.0),
    }
    if fastest is best:
        return _("%(fast)s is the fastest (%(fast_s).1f s) and finds most (%(fast_recall)s).") % values
    return (
        _(
            "%(fast)s is the fastest: %(fast_s).1f s, and it finds %(fast_recall)s. %(best)s finds most: "
            "%(best_recall)s, in %(best_s).1f s."
        )
        % values
    )


def _table(rows: Sequence[Sheet]) -> Table:
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("seconds", _("Median time"), SECONDS),
            Column("recall", _("Recall"), SHARE),
            Column("seconds_a_finding", _("Time a finding"), SECONDS),
        ],
        [[one.model, one.seconds, one.recall.interval, one.seconds_a_finding] for one in rows],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )

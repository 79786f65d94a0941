"""Real work: of what people judged, the share they found useful."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing, Key
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.table import NAME, SHARE, Column, Table
from benchwarmers.dashboard.templatetags.intervals import plainly
from benchwarmers.operations.benchmarks.figures.sizes import HALF, NARROW, percent
from collections_app.intervals import wilson


class Worked(NamedTuple):
    """One model: how many of its `offloads` people judged, and the sum of their means."""

    model: str
    offloads: int
    judged: int
    useful: float


def work(rows: Sequence[Worked], shown: slice) -> Figure:
    """The best share first, of those that are alike who was judged more."""
    rows = helpful(rows)[shown]
    good, bad = _keys()
    figure = Figure(
        name="work",
        title=_("Real work"),
        how=_(
            "Of the answers that people judged, the share they found useful, over all collections and shapes of work. "
            "Behind the name stands useful of judged. Below one half the bar is hatched and marked with an exclamation"
            " mark."
        ),
        table=_table(rows),
        says=_says(rows) if rows else "",
        legend=(good, bad),
        empty=_("No judged offloads: nobody has said of an answer whether it was useful."),
    )
    return show(figure, _draw(rows, HALF), _draw(rows, NARROW[0])) if rows else figure


def helpful(rows: Sequence[Worked]) -> list[Worked]:
    """Those with a judged answer, the best first."""
    judged = [one for one in rows if one.judged]
    return sorted(judged, key=lambda one: (-one.useful / one.judged, -one.judged, one.model))


def _keys() -> tuple[Key, Key]:
    return Key("tone-yes", _("half or more useful")), Key("tone-err", _("! less than half useful"), "texture-fall")


def _draw(rows: Sequence[Worked], wide: float) -> Drawing:
    return draw_stacks([_bar(one) for one in rows], wide, 0.0, 1.0, percent)


def _bar(one: Worked) -> Bar:
    share = one.useful / one.judged
    poor = share < 0.5
    good, bad = _keys()
    told = _("%(model)s: %(useful)s of %(judged)s judged answers useful, of %(offloads)s in all") % {
        "model": one.model,
        "useful": plainly(one.useful),
        "judged": one.judged,
        "offloads": one.offloads,
    }
    part = Part(bad if poor else good, share, told, "" if poor else percent(share))
    note = f"{plainly(one.useful)}/{one.judged}"
    return Bar(one.model, [part], f"! {note}" if poor else note, "chart-bad" if poor else "chart-quiet")


def _says(rows: Sequence[Worked]) -> str:
    poor = [one.model for one in rows if one.useful / one.judged < 0.5]
    told = _("People found %(model)s most often useful: %(useful)s of %(judged)s judged answers.") % {
        "model": rows[0].model,
        "useful": plainly(rows[0].useful),
        "judged": rows[0].judged,
    }
    return told + " " + _("Below one half: %(count)s of %(all)s.") % {"count": len(poor), "all": len(rows)}


def _table(rows: Sequence[Worked]) -> Table:
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("useful", _("Useful")),
            Column("judged", _("Judged")),
            Column("offloads", _("Offloads")),
            Column("helped", _("Helped"), SHARE),
        ],
        [[one.model, one.useful, one.judged, one.offloads, wilson(one.useful, one.judged)] for one in rows],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )

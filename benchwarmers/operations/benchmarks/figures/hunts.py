"""Bug hunt: bugs found, named at another line and missed, against alarms where nothing was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing, Key
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.table import NAME, Column, Table
from benchwarmers.dashboard.templatetags.intervals import plainly
from benchwarmers.operations.benchmarks.figures.sizes import HALF, NARROW, percent
from suite.metrics import Sheet

FOUND: Final = "tone-yes"
WRONG_LINE: Final = "tone-amber"
MISSED: Final = "tone-none"
ALARM: Final = "tone-err"


def hunts(sheets: Sequence[Sheet], shown: slice) -> Figure:
    """Of the models with any outcome of a hunt, the best score first."""
    rows = hunters(sheets)[shown]
    found, line, missed, alarm = _keys()
    figure = Figure(
        name="hunt",
        title=_("Bug hunt"),
        how=_(
            "To the right: of the planted and real bugs, the share that it found, named at another line, and missed. "
            "To the left: of the code in which nothing is wrong, the share where it saw a bug. The best by what it "
            "found less its false alarms comes first; behind the name stands how many tasks that is from."
        ),
        table=_table(rows),
        says=_says(rows) if rows else "",
        legend=(alarm, found, line, missed),
        empty=_("No hunt has ended yet: nobody has answered a task with a planted or a real bug."),
    )
    return show(figure, _draw(rows, HALF), _draw(rows, NARROW[0])) if rows else figure


def hunters(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The models with any outcome, the best score first."""
    found = [one for one in sheets if one.hunt.score is not None]
    return sorted(found, key=lambda one: (-(one.hunt.score or 0.0), one.model))


def _keys() -> tuple[Key, Key, Key, Key]:
    return (
        Key(FOUND, _("found")),
        Key(WRONG_LINE, _("wrong line"), "texture-rise"),
        Key(MISSED, _("missed")),
        Key(ALARM, _("false alarm"), "texture-fall"),
    )


def _draw(rows: Sequence[Sheet], wide: float) -> Drawing:
    most = max(_alarms(one) for one in rows)
    low = next(end for end in (0.0, 0.25, 0.5, 1.0) if most <= end)
    return draw_stacks([_bar(one) for one in rows], wide, -low, 1.0, percent)


def _alarms(one: Sheet) -> float:
    controls = one.hunt.clean + one.hunt.false_alarm
    return one.hunt.false_alarm / controls if controls else 0.0


def _bar(one: Sheet) -> Bar:
    hunt = one.hunt
    bugs, controls = hunt.found + hunt.wrong_line + hunt.missed, hunt.clean + hunt.false_alarm
    found, line, missed, alarm = _keys()
    parts = [
        _part(one, key, count, bugs)
        for key, count in ((found, hunt.found), (line, hunt.wrong_line), (missed, hunt.missed))
    ]
    return Bar(one.model, [*parts, _part(one, alarm, hunt.false_alarm, controls, left=True)], plainly(bugs + controls))


def _part(one: Sheet, key: Key, count: float, of: float, *, left: bool = False) -> Part:
    share = count / of if of else 0.0
    words = _("%(model)s: %(count)s of %(of)s %(what)s") % {
        "model": one.model,
        "count": plainly(count),
        "of": plainly(of),
        "what": key.words,
    }
    return Part(key, share, words, percent(share) if key.kind == FOUND else "", left)


def _says(rows: Sequence[Sheet]) -> str:
    best = rows[0]
    bugs = best.hunt.found + best.hunt.wrong_line + best.hunt.missed
    told = _(
        "%(model)s hunts best: %(found)s of %(bugs)s bugs, and %(alarms)s false alarms in %(controls)s controls."
    ) % {
        "model": best.model,
        "found": plainly(best.hunt.found),
        "bugs": plainly(bugs),
        "alarms": plainly(best.hunt.false_alarm),
        "controls": plainly(best.hunt.clean + best.hunt.false_alarm),
    }
    if len(rows) == 1:
        return told
    return told + " " + _("%(model)s comes last of these %(count)s.") % {"model": rows[-1].model, "count": len(rows)}


def _table(rows: Sequence[Sheet]) -> Table:
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("found", _("Found")),
            Column("wrong_line", _("Wrong line")),
            Column("missed", _("Missed")),
            Column("false_alarm", _("False alarms")),
            Column("clean", _("Clean")),
            Column("score", _("Score")),
        ],
        [
            [
                one.model,
                *(one.hunt.found, one.hunt.wrong_line, one.hunt.missed, one.hunt.false_alarm, one.hunt.clean),
                round(one.hunt.score or 0.0, 2),
            ]
            for one in rows
        ],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )

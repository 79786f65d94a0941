"""The pictures of evidence: how useful each model was in a collection, what each adds to the others, and what a true
finding takes. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Key
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.table import NAME, RATE, SHARE, Column, Table
from benchwarmers.charts.whiskers import Reach, draw_reaches
from benchwarmers.dashboard.contribution_sums import Row
from benchwarmers.dashboard.templatetags.intervals import number, plainly
from collections_app.intervals import wilson

WIDE: Final = 560.0
NARROW: Final = 350.0
MOST: Final = 25
"""Rows of a picture; the table behind it has more, its file all of them."""


class Stood(NamedTuple):
    """One model in one collection: its work, how much of it people judged, the sum of their means, and claims."""

    model: str
    offloads: int
    judged: int
    useful: float
    real: int
    false: int


def standings(rows: Sequence[Stood]) -> Figure:
    """Who was useful, the best first by the lower end of the range: what even bad luck does not explain."""
    told = sorted((one for one in rows if one.judged), key=lambda one: (-_low(one), -one.judged, one.model))
    table = Table(
        [
            Column("model", _("Model"), NAME),
            Column("work", _("Work")),
            Column("judged", _("Judged")),
            Column("useful", _("Useful"), SHARE),
            Column("real", _("Claims that hold")),
            Column("false", _("False claims")),
        ],
        [[o.model, o.offloads, o.judged, wilson(o.useful, o.judged), o.real, o.false] for o in told],
    )
    figure = Figure(
        "standings",
        _("Standings"),
        _(
            "Of the judged answers in this collection, the share that people found useful. The line shows between "
            "which shares the truth lies in 95 of 100 cases; behind it stands useful of judged. The best by the lower "
            "end first."
        ),
        table,
        _says(told) if told else "",
        empty=_("Nobody has judged an answer in this collection yet."),
    )
    if not told:
        return figure
    reaches = [_reach(one) for one in told[:MOST]]
    return show(figure, draw_reaches(reaches, WIDE), draw_reaches(reaches, NARROW))


def added(rows: Sequence[Row]) -> Figure:
    """True findings of each model: those that only it had, and those that another had too."""
    own, shared = Key("tone-yes", _("only this seat had it")), Key("tone-grey", _("another had it too"), "texture-rise")
    told = [one for one in rows if one.added.found]
    most = max((one.added.found for one in told), default=0)
    figure = Figure(
        "adds",
        _("What each seat adds"),
        _(
            "True findings in the judged panels: claims that most people who spoke of them say hold. Behind the name "
            "stands the number of calls. A seat without findings of its own may be left out at little loss."
        ),
        Table(
            [
                Column("model", _("Model"), NAME),
                Column("calls", _("Calls")),
                Column("found", _("True findings")),
                Column("alone", _("Only this seat had")),
                Column("alone_per_call", _("Its own a call"), RATE),
            ],
            [[o.added.who, o.added.panels, o.added.found, o.added.alone, o.added.alone_per_panel] for o in told],
        ),
        _says_added(told) if told else "",
        legend=(own, shared),
        empty=_("Nobody has said of a claim that it holds."),
    )
    if not told:
        return figure
    bars = [
        Bar(
            one.added.who,
            [
                Part(own, one.added.alone, _words(one, own, one.added.alone), str(one.added.alone)),
                Part(shared, one.added.found - one.added.alone, _words(one, shared, one.added.found - one.added.alone)),
            ],
            str(one.added.panels),
        )
        for one in told[:MOST]
    ]
    return show(figure, *(draw_stacks(bars, wide, 0.0, float(most), "{:g}".format) for wide in (WIDE, NARROW)))


def costs(rows: Sequence[Row]) -> Figure:
    """Tokens for a true finding, the cheapest first."""
    known = [(one, one.tokens) for one in rows if one.tokens and one.added.found]
    told = sorted(known, key=lambda pair: pair[1].share)
    figure = Figure(
        "costs",
        _("Cost of a true finding"),
        _(
            "Tokens, read and written, that a model took for each true finding, each step ten times as many. The line "
            "shows between what that lies in 95 of 100 cases. Of models with too few calls nothing is told."
        ),
        Table(
            [
                Column("model", _("Model"), NAME),
                Column("calls_a_finding", _("Calls a finding"), RATE),
                Column("tokens_a_finding", _("Tokens a finding"), RATE),
            ],
            [[one.added.who, one.added.cost_per_claim, tokens] for one, tokens in told],
        ),
        _("%(model)s takes least: %(tokens)s tokens a true finding.")
        % {"model": told[0][0].added.who, "tokens": number(told[0][1].share)}
        if told
        else "",
        empty=_("Too little data: it takes 20 calls of a model whose tokens are known, and a true finding."),
    )
    if not told:
        return figure
    low = min(tokens.low for _, tokens in told if tokens.low > 0) * 0.8
    high = max(min(tokens.high, tokens.share * 10) for _, tokens in told) * 1.25
    reaches = [Reach(one.added.who, tokens, f"{one.added.who}: {number(tokens.share)}") for one, tokens in told[:MOST]]
    return show(figure, *(draw_reaches(reaches, wide, low, high, number, log=True) for wide in (WIDE, NARROW)))


def _low(one: Stood) -> float:
    found = wilson(one.useful, one.judged)
    return found.low if found else 0.0


def _reach(one: Stood) -> Reach:
    interval = wilson(one.useful, one.judged)
    assert interval is not None  # noqa: S101 it was judged
    note = f"{plainly(one.useful)}/{one.judged}"
    words = _("%(model)s: %(note)s useful, %(low)s to %(high)s") % {
        "model": one.model,
        "note": note,
        "low": f"{interval.low:.0%}",
        "high": f"{interval.high:.0%}",
    }
    return Reach(one.model, interval, words, note)


def _says(told: Sequence[Stood]) -> str:
    best = told[0]
    return _("%(model)s stands best: %(useful)s of %(judged)s judged answers were useful, so at least %(low)s.") % {
        "model": best.model,
        "useful": plainly(best.useful),
        "judged": best.judged,
        "low": f"{_low(best):.0%}",
    }


def _says_added(told: Sequence[Row]) -> str:
    best = max(told, key=lambda one: one.added.alone)
    idle = sum(not one.added.alone for one in told)
    return _(
        "%(model)s has most of its own: %(alone)s of its %(found)s true findings. Without any of their own: %(idle)s."
    ) % {"model": best.added.who, "alone": best.added.alone, "found": best.added.found, "idle": idle}


def _words(one: Row, key: Key, count: int) -> str:
    return _("%(model)s: %(count)s true findings, %(what)s") % {
        "model": one.added.who,
        "count": count,
        "what": key.words,
    }

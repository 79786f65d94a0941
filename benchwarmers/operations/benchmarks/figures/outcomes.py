"""Reliability: how probes of the last two weeks ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing, Key
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.table import NAME, SHARE, Column, Table
from benchwarmers.operations.benchmarks.figures.sizes import HALF, NARROW, percent
from collections_app.intervals import wilson
from gateway.canon.fault import FailureClass

ANSWERED: Final = "answered"
ERROR: Final = "error"
"""Neither an answer nor a class that tells why."""
_LOOKS: Final = {
    ANSWERED: ("tone-yes", ""),
    FailureClass.CAPACITY: ("tone-amber", ""),
    FailureClass.TIMEOUT: ("tone-violet", "texture-rise"),
    FailureClass.STRUCTURAL: ("tone-rose", ""),
    FailureClass.PAYWALLED: ("tone-green", "texture-fall"),
    FailureClass.ENTITLEMENT: ("tone-blue", ""),
    FailureClass.SIGNIN: ("tone-blue", "texture-upright"),
    FailureClass.EMPTY: ("tone-grey", "texture-rise"),
    FailureClass.OTHER: ("tone-grey", ""),
    ERROR: ("tone-err", "texture-fall"),
}
OUTCOMES: Final = tuple(_LOOKS)


class Probed(NamedTuple):
    """How often probes of a model ended how, by one of OUTCOMES."""

    model: str
    ends: Mapping[str, int]

    @property
    def asked(self) -> int:
        return sum(self.ends.values())

    @property
    def answered(self) -> float:
        return self.ends.get(ANSWERED, 0) / self.asked


def outcomes(rows: Sequence[Probed], shown: slice) -> Figure:
    """The most reliable first."""
    keys = _keys()
    seen = {end for one in rows for end in one.ends}
    rows = reliable(rows)[shown]
    figure = Figure(
        name="outcomes",
        title=_("Reliability"),
        how=_(
            "How the probes of the last 14 days ended, as shares of all of them; behind the name stands their number. "
            "The most reliable first. What was used up of an account says nothing of a model and is not counted."
        ),
        table=_table(rows, [end for end in OUTCOMES if end in seen]),
        says=_says(rows) if rows else "",
        legend=[keys[end] for end in OUTCOMES if end in seen],
        empty=_("No probes in the last 14 days."),
    )
    return show(figure, _draw(rows, HALF), _draw(rows, NARROW[0])) if rows else figure


def reliable(rows: Sequence[Probed]) -> list[Probed]:
    """The most reliable first, of those that are alike who was asked more."""
    return sorted(rows, key=lambda one: (-one.answered, -one.asked, one.model))


def _keys() -> dict[str, Key]:
    words = {
        ANSWERED: _("answered"),
        FailureClass.CAPACITY: _("capacity"),
        FailureClass.TIMEOUT: _("timeout"),
        FailureClass.STRUCTURAL: _("structural"),
        FailureClass.PAYWALLED: _("paywalled"),
        FailureClass.ENTITLEMENT: _("entitlement"),
        FailureClass.SIGNIN: _("sign-in"),
        FailureClass.EMPTY: _("empty"),
        FailureClass.OTHER: _("other"),
        ERROR: _("error"),
    }
    return {end: Key(kind, words[end], texture) for end, (kind, texture) in _LOOKS.items()}


def _draw(rows: Sequence[Probed], wide: float) -> Drawing:
    return draw_stacks([_bar(one) for one in rows], wide, 0.0, 1.0, percent)


def _bar(one: Probed) -> Bar:
    keys, parts = _keys(), []
    for end in OUTCOMES:
        if count := one.ends.get(end, 0):
            words = _("%(model)s: %(end)s %(count)s of %(asked)s") % {
                "model": one.model,
                "end": keys[end].words,
                "count": count,
                "asked": one.asked,
            }
            share = count / one.asked
            parts.append(Part(keys[end], share, words, percent(share) if end == ANSWERED else ""))
    return Bar(one.model, parts, str(one.asked))


def _says(rows: Sequence[Probed]) -> str:
    whole = [one for one in rows if one.answered == 1.0]
    last = rows[-1]
    values = {
        "whole": len(whole),
        "all": len(rows),
        "last": last.model,
        "share": percent(last.answered),
        "asked": last.asked,
    }
    if last.answered == 1.0:
        return _("All of these %(all)s answered every probe.") % values
    return (
        _(
            "%(whole)s of these %(all)s answered every probe. The least reliable is %(last)s: %(share)s of %(asked)s "
            "probes answered."
        )
        % values
    )


def _table(rows: Sequence[Probed], ends: Sequence[str]) -> Table:
    keys = _keys()
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("probes", _("Probes")),
            Column("reliability", _("Answered"), SHARE),
            *(Column(str(end), keys[end].words.capitalize()) for end in ends if end != ANSWERED),
        ],
        [
            [
                one.model,
                one.asked,
                wilson(one.ends.get(ANSWERED, 0), one.asked),
                *(one.ends.get(end, 0) for end in ends if end != ANSWERED),
            ]
            for one in rows
        ],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )

"""Confidently wrong: how often a model was sure of something false, by the kind of chance it had."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from benchwarmers.charts.figure import Figure, show
from benchwarmers.charts.marks import Drawing, Key
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.table import NAME, SHARE, Column, Table
from benchwarmers.dashboard.templatetags.intervals import plainly
from benchwarmers.operations.benchmarks.figures.sizes import HALF, NARROW, percent
from suite.metrics import CHANCES, Share, Sheet


def wrongs(sheets: Sequence[Sheet], shown: slice) -> Figure:
    """Of the models that had a chance, the worst first."""
    rows = tempted(sheets)[shown]
    figure = Figure(
        name="wrong",
        title=_("Confidently wrong"),
        how=_(
            "Of its chances to be sure of something false, the share it took, by the kind of chance: an alarm where "
            "nothing is wrong, a bug at another line, a false claim called true, a trap in another task. Behind the "
            "name stands the number of chances. Worst first, by the lower bound: what even bad luck does not explain. "
            "The kinds are not equally tempting, so compare within a kind."
        ),
        table=_table(rows),
        says=_says(rows) if rows else "",
        legend=list(_keys().values()),
        empty=_("Nobody has answered a task in which one can be sure of something false."),
    )
    return show(figure, _draw(rows, HALF), _draw(rows, NARROW[0])) if rows else figure


def tempted(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The models that had a chance, the worst first: by the lower end of the range."""
    found = [one for one in sheets if one.wrongs.of]
    return sorted(found, key=lambda one: (-(one.wrongs.interval.low if one.wrongs.interval else 0.0), one.model))


def _keys() -> dict[str, Key]:
    """By kind of chance."""
    looks = ("tone-err", "tone-amber", "tone-violet", "tone-blue")
    textures = ("", "texture-rise", "texture-fall", "texture-upright")
    words = (_("false alarm"), _("wrong line"), _("false claim"), _("trap"))
    return {kind: Key(*each) for kind, each in zip(CHANCES, zip(looks, words, textures, strict=True), strict=True)}


def _draw(rows: Sequence[Sheet], wide: float) -> Drawing:
    most = max(one.wrongs.share or 0.0 for one in rows)
    high = next((end for end in (0.1, 0.25, 0.5, 1.0) if most <= end), 1.0)
    return draw_stacks([_bar(one) for one in rows], wide, 0.0, high, percent)


def _bar(one: Sheet) -> Bar:
    keys, parts = _keys(), []
    for kind, share in one.wrong.items():
        words = _("%(model)s: %(hits)s of %(of)s chances, %(kind)s") % {
            "model": one.model,
            "hits": plainly(share.hits),
            "of": plainly(share.of),
            "kind": keys[kind].words,
        }
        parts.append(Part(keys[kind], share.hits / one.wrongs.of, words))
    return Bar(one.model, parts, plainly(one.wrongs.of))


def _says(rows: Sequence[Sheet]) -> str:
    worst, best = rows[0], min(rows, key=lambda one: one.wrongs.interval.high if one.wrongs.interval else 1.0)
    values = {
        "worst": worst.model,
        "wrong": percent(worst.wrongs.share or 0.0),
        "of": plainly(worst.wrongs.of),
        "best": best.model,
        "least": percent(best.wrongs.share or 0.0),
    }
    if worst is best:
        return _("%(worst)s was sure of something false in %(wrong)s of %(of)s chances.") % values
    return (
        _(
            "%(worst)s is the most often sure of something false: in %(wrong)s of %(of)s chances. %(best)s is so in "
            "%(least)s."
        )
        % values
    )


def _table(rows: Sequence[Sheet]) -> Table:
    keys = _keys()
    return Table(
        [
            Column("model", _("Model"), NAME),
            Column("chances", _("Chances")),
            Column("confidently_wrong", _("All kinds"), SHARE),
            *(Column(kind.replace(" ", "_"), keys[kind].words.capitalize(), SHARE) for kind in CHANCES),
        ],
        [
            [
                one.model,
                one.wrongs.of,
                one.wrongs.interval,
                *(one.wrong.get(kind, Share()).interval for kind in CHANCES),
            ]
            for one in rows
        ],
        [reverse("operations:model", args=[one.model]) for one in rows],
    )

"""The pages of evidence: the collections there are, and what is known of the models in one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from benchwarmers.charts.figure import Figure
from benchwarmers.charts.table import Table
from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.contribution import NEWEST, is_there, load_kept, load_stood
from benchwarmers.dashboard.evidence_figures import added, costs, standings
from benchwarmers.dashboard.evidence_index import load_index
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.sight import SEES_PANELS

SHOWN = 50
"""Rows of the tables; the files have all of them."""


@require_safe
def evidence_page(request: PersonRequest) -> HttpResponse:
    """The collections whose evidence this person may see."""
    context = {"rows": load_index(request.user), "sees_all": request.user.has_perm(SEES_PANELS)}
    return render(request, "evidence/index.html", context)


@require_safe
def contribution_page(request: PersonRequest, collection: str) -> HttpResponse:
    """Over the panels this person may see; 404 for a collection of which they see nothing. `?now=1` makes sums that are
    not up to date, `?format=csv&of=` is the table of a picture."""
    if not is_there(request.user, collection):
        raise Http404
    as_file = request.GET.get("format") == "csv"
    kept = load_kept(request.user, collection, now=as_file or request.GET.get("now") == "1")
    sees_all = request.user.has_perm(SEES_PANELS)
    figures = {"standings": standings(load_stood(collection) if sees_all else [])}
    if kept.value:
        figures |= {"adds": added(kept.value.rows), "costs": costs(kept.value.rows)}
    if as_file:
        return _file(figures, request.GET.get("of", ""), collection)
    context: dict[str, Any] = {"collection": collection, "page": kept.value, "stale": kept.stale, "most": NEWEST}
    context |= {"sees_all": sees_all, "figures": {name: _shorten(one) for name, one in figures.items()}}
    if kept.value:
        context |= {"rows": kept.value.rows[:SHOWN], "cut": len(kept.value.rows) - len(kept.value.matrix)}
    script = request.htmx and not request.htmx.history_restore_request
    name = "evidence/_page.html" if script else "evidence/contribution.html"
    response = render(request, name, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _shorten(figure: Figure) -> Figure:
    table = figure.table
    return replace(figure, table=Table(table.columns, table.rows[:SHOWN], table.links[:SHOWN]))


def _file(figures: dict[str, Any], part: str, collection: str) -> HttpResponse:
    if part not in figures:
        raise Http404(f"A file is of one of {', '.join(figures)}.")
    response = HttpResponse(figures[part].table.file(), content_type=FORMATS["csv"])
    response["Content-Disposition"] = f'attachment; filename="{part}-{collection}.csv"'
    return response

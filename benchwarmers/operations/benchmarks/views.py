"""The page of benchmarks: every model's figures on the suite, each with how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.benchmarks.drawing import Course, draw_course, whisker
from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES, SORTS, BenchFilters
from benchwarmers.operations.benchmarks.speed import paces
from benchwarmers.operations.benchmarks.summary import Summary, load_comparison, load_summary
from suite.metrics import CHANCES, Sheet
from suite.models import Task
from suite.needles.sheet import NOTE
from suite.speed_rows import latest_speeds

MOST_COURSES: Final = 12


@require_safe
def benchmarks_page(request: PersonRequest) -> HttpResponse:
    """All of it; for a script what the filters change."""
    filters = BenchFilters.read(request.GET)
    summary = load_summary(filters.which)
    context: dict[str, Any] = {
        "filters": filters,
        "summary": summary,
        "drawing": SafeString(summary.drawing),  # it is markup that escapes all that it is given
        "sheets": sort_sheets(summary.sheets, filters.sort),
        "columns": _columns(filters),
        "wrongs": _wrongs(summary),
        "kinds": CHANCES,
        "paces": paces(latest_speeds()),
        "courses": _courses(summary),
        "more_courses": max(0, len(summary.histories) - MOST_COURSES),
        "models": [one.model for one in summary.sheets],
        "counts": _counts(),
        "needle_note": NOTE,
    }
    if filters.first and filters.second and filters.first != filters.second:
        context["comparison"] = load_comparison(filters.which, filters.first, filters.second)
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "benchmarks/_figures.html", context)
        if request.htmx.trigger in ("bench-filter", "bench-compare"):
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        shapes = [(shape, SHAPES[shape]) for shape in SHAPES]
        told = {"shapes": shapes, "origins": ORIGINS, "languages": load_languages()}
        response = render(request, "benchmarks/benchmarks.html", context | told)
    patch_vary_headers(response, ["HX-Request"])
    return response


def load_languages() -> list[str]:
    """The programming languages of tasks."""
    return list(Task.objects.exclude(language="").order_by("language").values_list("language", flat=True).distinct())


def sort_sheets(sheets: Sequence[Sheet], sort: str) -> list[Sheet]:
    """By a column; what is not known comes last either way."""
    value, falling = _VALUES[sort.removeprefix("-")], sort.startswith("-")
    known = sorted((one for one in sheets if value(one) is not None), key=lambda one: one.model.casefold())
    known.sort(key=lambda one: value(one), reverse=falling)
    return known + [one for one in sheets if value(one) is None]


def _counts() -> dict[str, int]:
    """How many tasks are asked, and how many drafts wait for a person."""
    rows = list(Task.objects.filter(dropped=False).order_by().values_list("draft", flat=True))
    return {"asked": rows.count(False), "drafts": rows.count(True)}


def _columns(filters: BenchFilters) -> list[tuple[str, str, str, str]]:
    """(name, label, address sorted by it, which way it is sorted now)."""
    way = "descending" if filters.sort.startswith("-") else "ascending"
    now = filters.sort.removeprefix("-")
    return [(name, label, filters.sorted_by(name), way if name == now else "") for name, label in SORTS.items()]


def _wrongs(summary: Summary) -> list[tuple[Sheet, list[tuple[str, Any]], tuple[float, float, float] | None]]:
    """Worst first, by what even luck could not have hidden: the lower end of the interval."""
    found = [one for one in summary.sheets if one.wrongs.of]
    found.sort(key=lambda one: (-(one.wrongs.interval.low if one.wrongs.interval else 0.0), one.model))
    return [(one, [(kind, one.wrong.get(kind)) for kind in CHANCES], whisker(one.wrongs.interval)) for one in found]


def _courses(summary: Summary) -> list[Course]:
    """Those with the longest record first, all between the same days."""
    days = [point.day for points in summary.histories.values() for point in points]
    if not days:
        return []
    order = sorted(summary.histories.items(), key=lambda item: (-item[1][-1].tasks, item[0]))
    return [draw_course(model, points, min(days), max(days)) for model, points in order[:MOST_COURSES]]


_VALUES: Final[dict[str, Callable[[Sheet], Any]]] = {
    "model": lambda one: one.model.casefold(),
    "answered": lambda one: one.tasks,
    "recall": lambda one: one.recall.share,
    "precision": lambda one: one.precision.share,
    "invention": lambda one: one.invention.share,
    "claims": lambda one: one.claims.share,
    "hunts": lambda one: one.hunt.score,
    "controls": lambda one: one.controls.share,
    "wrong": lambda one: one.wrongs.share,
    "cost": lambda one: one.cost_a_finding,
    "pace": lambda one: one.seconds_a_finding,
    "seconds": lambda one: one.seconds,
}

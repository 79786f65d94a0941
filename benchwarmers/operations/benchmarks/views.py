"""The page of benchmarks: every model's figures on the suite, each with how sure it is, drawn and in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.operations.benchmarks.drawing import Course, draw_course
from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES, SORTS, VIEWS, BenchFilters
from benchwarmers.operations.benchmarks.gather import MADE, file_of, fitting, gather
from benchwarmers.operations.benchmarks.grid import FAMILIES, Grid, square
from benchwarmers.operations.benchmarks.pieces import piece_of
from benchwarmers.operations.benchmarks.sheet_table import grid_file, sheet_file, sort_sheets
from benchwarmers.operations.benchmarks.speed import paces
from benchwarmers.operations.benchmarks.summary import Summary, load_comparison, load_summary
from suite.metrics import Sheet
from suite.models import Task
from suite.needles.sheet import NOTE
from suite.speed_rows import latest_speeds

ELSEWHERE: Final = (
    ("LiveBench", "https://livebench.ai/", _("questions that are new each month, so that no model has seen them")),
    ("models.dev", "https://models.dev/", _("prices, limits and abilities of models, kept by many")),
    (
        "BullshitBench",
        "https://petergpt.github.io/bullshit-benchmark/viewer/index.html",
        _("which models object to questions that make no sense"),
    ),
)
"""Benchmarks of others: plain links, nothing of theirs is loaded."""


@require_safe
def benchmarks_page(request: PersonRequest) -> HttpResponse:
    """All of it; for a script what the filters change. `?now=1` makes sums that are not up to date, `?format=csv&of=`
    is a part of it as a file."""
    filters = BenchFilters.read(request.GET)
    as_file = request.GET.get("format") == "csv"
    kept = load_summary(filters.which, now=as_file or request.GET.get("now") == "1")
    summary = kept.value
    sheets = fitting(summary.sheets, filters.text) if summary else []
    if as_file:
        return _file(request.GET.get("of", "sheets"), summary, sheets, filters)
    context: dict[str, Any] = {"filters": filters, "summary": summary, "stale": kept.stale, "counts": _counts()}
    if summary and sheets:
        context |= _told(summary, sheets, filters)
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


def _told(summary: Summary, sheets: Sequence[Sheet], filters: BenchFilters) -> dict[str, Any]:
    told: dict[str, Any] = {"shown": True, "number": len(sheets), "views": _views(filters)}
    match filters.view:
        case "code":
            grid = summary.grid.of([one.model for one in sheets]) if filters.text else summary.grid
            told |= {"grid": _grid(grid, filters), "grid_file": filters.file_of("heat")}
        case "table":
            told |= _tables(summary, sheets, filters)
        case "time":
            told |= {"courses": _courses(summary), "more_courses": summary.drawn - len(summary.histories)}
        case _:
            told |= {"figures": gather(sheets, filters, timezone.now()), "elsewhere": ELSEWHERE}
    return told


def _tables(summary: Summary, sheets: Sequence[Sheet], filters: BenchFilters) -> dict[str, Any]:
    told: dict[str, Any] = {
        "sheets": piece_of(sort_sheets(sheets, filters.sort), "sheets", filters),
        "columns": _columns(filters),
        "sheet_file": filters.file_of("sheets"),
        "models": [one.model for one in summary.sheets],
        "needles": piece_of(fitting(summary.needles, filters.text), "deep", filters),
        "needle_note": NOTE,
        "sweeps": piece_of(fitting(paces(latest_speeds()), filters.text), "sweeps", filters),
    }
    if filters.first and filters.second and filters.first != filters.second:
        told["comparison"] = load_comparison(filters.which, filters.first, filters.second)
    return told


def _views(filters: BenchFilters) -> list[tuple[Any, str, bool]]:
    """(label, query string, whether it is shown) of each of VIEWS."""
    labels = (_("Pictures"), _("Our code"), _("All figures"), _("Over time"))
    return [(label, filters.viewed(view), view == filters.view) for view, label in zip(VIEWS, labels, strict=True)]


def _file(part: str, summary: Summary | None, sheets: Sequence[Sheet], filters: BenchFilters) -> HttpResponse:
    if part in MADE:
        content = file_of(part, sheets, filters, timezone.now())
    elif part == "heat":
        content = grid_file(summary.grid.of([one.model for one in sheets]) if summary else Grid())
    elif part == "sheets":
        content = sheet_file(sort_sheets(sheets, filters.sort))
    else:
        raise Http404(f"A file is of one of {', '.join((*MADE, 'heat', 'sheets'))}.")
    response = HttpResponse(content, content_type=FORMATS["csv"])
    response["Content-Disposition"] = f'attachment; filename="benchmarks-{part}.csv"'
    return response


def _grid(grid: Grid, filters: BenchFilters) -> dict[str, Any]:
    """The grid's piece: rows of tasks by family, columns of models."""
    lines, models = piece_of(grid.lines, "tasks", filters), piece_of(grid.models, "models", filters)
    families: list[tuple[Any, list[tuple[str, list[Any]]]]] = []
    for one in lines.rows:
        name = FAMILIES[one.shape]
        if not families or families[-1][0] is not name:
            families.append((name, []))
        families[-1][1].append((one.task, [square(byte) for byte in one.cells[models.where]]))
    return {"families": families, "lines": lines, "models": models}


def load_languages() -> list[str]:
    """The programming languages of tasks."""
    return list(Task.objects.exclude(language="").order_by("language").values_list("language", flat=True).distinct())


def _counts() -> dict[str, int]:
    """How many tasks are asked, and how many drafts wait for a person."""
    rows = list(Task.objects.filter(dropped=False).order_by().values_list("draft", flat=True))
    return {"asked": rows.count(False), "drafts": rows.count(True)}


def _columns(filters: BenchFilters) -> list[tuple[str, Any, str, str]]:
    """(name, label, address sorted by it, which way it is sorted now)."""
    way = "descending" if filters.sort.startswith("-") else "ascending"
    now = filters.sort.removeprefix("-")
    return [(name, label, filters.sorted_by(name), way if name == now else "") for name, label in SORTS.items()]


def _courses(summary: Summary) -> list[Course]:
    """Those with the longest record first, all between the same days."""
    days = [point.day for points in summary.histories.values() for point in points]
    return [draw_course(model, points, min(days), max(days)) for model, points in summary.histories.items()]

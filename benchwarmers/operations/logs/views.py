"""The page of logs, its sections by themselves for scripts that heard of news, and each of them as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.dashboard.usage_export import LineWriter
from benchwarmers.operations.logs.filters import LogsFilters
from benchwarmers.operations.logs.runs import load_output, load_running
from benchwarmers.operations.logs.sections import SEES_WORK, Section, sections_for
from benchwarmers.operations.logs.windows import walk
from gateway.readings import note_export
from probes.models import Job

PIECE: Final = 500
"""Rows of a file that are loaded at once."""


@require_safe
def logs_page(request: PersonRequest) -> HttpResponseBase:
    """What this person may see, newest first; `?section=` one part of it, `&format=csv` or `jsonl` all of that part."""
    filters, name = LogsFilters.read(request.GET), request.GET.get("section", "")
    scripted = bool(request.htmx) and not request.htmx.history_restore_request
    if name == "running" and scripted and request.user.has_perm(SEES_WORK):
        response = render(request, "logs/_running.html", _running())
    elif name and (scripted or "format" in request.GET):
        section = next((one for one in sections_for(request.user, filters) if one.name == name), None)
        if section is None:
            raise Http404
        if (form := request.GET.get("format", "")) in FORMATS:
            return _stream(request, section, filters, form)
        response = render(request, f"logs/_{section.name}.html", _part(request, section, filters))
    else:
        template = "logs/_logs.html" if scripted else "logs/logs.html"
        response = render(request, template, _whole(request, filters))
        if scripted and request.htmx.trigger == "logs-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.whole}"
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def output(request: PersonRequest, job: int) -> HttpResponse:
    """The end of a job's output, as a row unfolds it; a plain browser is led to the job's page."""
    if not request.htmx:
        return redirect("operations:job", job)
    row = get_object_or_404(Job.objects.defer("results", "payload"), pk=job)
    lines, more = load_output(row)
    return render(request, "logs/_output.html", {"job": row, "lines": lines, "more": more})


def _whole(request: PersonRequest, filters: LogsFilters) -> dict[str, Any]:
    parts = [_part(request, one, filters) for one in sections_for(request.user, filters)]
    asked = request.GET.get("section", "") or filters.opened
    for part in parts:
        found = filters.narrows and bool(part["rows"])
        part["open"] = part["section"].name == (asked or "calls") or part["section"].name in filters.before or found
    context: dict[str, Any] = {"filters": filters, "parts": parts, "runs_anything": request.user.has_perm(SEES_WORK)}
    return context | (_running() if context["runs_anything"] else {})


def _part(request: PersonRequest, section: Section, filters: LogsFilters) -> dict[str, Any]:
    before = filters.before.get(section.name, "")
    page = section.load(request.user, filters, before, section.page, timezone.now())
    name = section.name
    return {
        "section": section,
        "template": f"logs/_{name}.html",
        "filters": filters,
        "rows": page.rows,
        "latest": section.at(page.rows[0]) if page.rows and not before else None,
        "deep": bool(before),
        "older": filters.page(name, page.further) if page.further else "",
        "newest": filters.page(name),
        "again": filters.part(name, before),
        "as_csv": filters.part(name, form="csv"),
    }


def _running() -> dict[str, Any]:
    now_runs, more = load_running(timezone.now())
    return {"running": now_runs, "running_more": more}


def _stream(request: PersonRequest, section: Section, filters: LogsFilters, form: str) -> StreamingHttpResponse:
    """All rows, read piece by piece while they are written."""
    now, tell = timezone.now(), section.tell(request.user)
    note_export(request.user, f"logs: {section.name}", now=now)
    write = LineWriter(form, section.columns)
    pages = walk(lambda before: section.load(request.user, filters, before, PIECE, now))
    pull = sync_to_async(lambda: next(pages, None))

    async def pieces() -> AsyncIterator[bytes]:
        yield write.head()
        while (rows := await pull()) is not None:
            yield write.rows(map(tell, rows))

    answer = StreamingHttpResponse(pieces(), content_type=FORMATS[form])
    answer["Content-Disposition"] = f'attachment; filename="{section.name}.{form}"'
    return answer

"""The pages of the change log and of the log of readings, and both as files."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.changes import (
    SEES_READINGS,
    LogFilters,
    load_changes,
    load_readings,
    load_things,
    narrowed,
    tell,
    visible_changes,
)
from benchwarmers.dashboard.changes_file import change_record, reading_record, stream
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.dashboard.paging import PAGE
from gateway.models import Reading
from gateway.readings import note_export


@require_safe
def changes_page(request: PersonRequest) -> HttpResponseBase:
    """Who changed what, newest first; `?format=csv` or `jsonl` for all of it as a file."""
    filters = LogFilters.of_log(request.GET)
    rows, sees_all = visible_changes(request.user), request.user.has_perm(SEES_READINGS)
    if (form := request.GET.get("format", "")) in FORMATS:
        note_export(request.user, "changes", now=timezone.now())
        record = partial(change_record, with_address=sees_all)
        return stream(narrowed(rows, filters, "actor_name"), record, form, "changes")
    page = load_changes(request.user, filters, PAGE)
    told = [tell(change, with_address=sees_all) for change in page.rows]
    return _show(request, "changes", {"filters": filters, "list": page, "told": told}, lambda: load_things(rows))


@require_safe
def readings_page(request: PersonRequest) -> HttpResponseBase:
    """Who looked at whose answers, newest first; `?format=csv` or `jsonl` for all of it as a file."""
    filters = LogFilters.of_log(request.GET)
    rows = Reading.objects.all()
    if (form := request.GET.get("format", "")) in FORMATS:
        note_export(request.user, "readings", now=timezone.now())
        return stream(narrowed(rows, filters, "reader_name"), reading_record, form, "readings")
    context = {"filters": filters, "list": load_readings(filters, PAGE)}
    return _show(request, "readings", context, lambda: load_things(rows))


def _show(request: PersonRequest, name: str, context: dict[str, Any], things: Any) -> HttpResponse:
    """A whole page, or for a script the rows."""
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, f"changes/_{name}.html", context)
        if request.htmx.trigger == "log-filter":
            response["HX-Push-Url"] = f"{request.path}{context['filters'].here}"
    else:
        response = render(request, f"changes/{name}.html", context | {"things": things()})
    patch_vary_headers(response, ["HX-Request"])
    return response

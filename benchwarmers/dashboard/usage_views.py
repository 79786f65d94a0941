"""The page of usage, and what can be taken from it as a file."""

from __future__ import annotations

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.dashboard.readings import note_export
from benchwarmers.dashboard.usage_budgets import load_budgets
from benchwarmers.dashboard.usage_export import narrow_calls, stream_calls, write_table
from benchwarmers.dashboard.usage_filters import GROUPS, PERIODS, SHOWN, UsageFilters
from benchwarmers.dashboard.usage_page import load_usage
from benchwarmers.dashboard.usage_sums import load_groups, narrow_usage
from benchwarmers.dashboard.usage_words import say_plot, table_plot
from benchwarmers.sight import SEES_USAGE

DATED = {name: label for name, label in PERIODS.items() if name != "custom"}
COLUMNS = (
    ("requests", _("Requests")),
    ("calls", _("Calls")),
    ("failed", _("Failed")),
    ("tokens_in", _("Tokens in")),
    ("cached", _("of them cached")),
    ("tokens_out", _("Tokens out")),
    ("reasoning", _("of them reasoning")),
    ("cost", _("Cost")),
)


@require_safe
def usage_page(request: PersonRequest) -> HttpResponse:
    """What this person may see, of the days and narrowed as the address says."""
    today = timezone.localdate()
    page = load_usage(request.user, UsageFilters.read(request.GET, today))
    filters = page.filters
    context = {
        "page": page,
        "filters": filters,
        "periods": [(label, filters.over(name).here, name == filters.period) for name, label in DATED.items()],
        "groups": [(label, filters.grouped(name).here, name == filters.by) for name, label in GROUPS.items()],
        "shown": [(label, filters.counting(name).here, name == page.shown) for name, label in SHOWN.items()],
        "by": GROUPS[filters.by],
        "counted": SHOWN[page.shown],
        "columns": [(name, label, filters.sorted_by(name).here, _sorted(filters, name)) for name, label in COLUMNS],
        "by_name": filters.sorted_by("name").here,
        "numbers": page.plot.numbers(page.shown),
        "says": say_plot(page.plot, page.shown),
        "behind": table_plot(page.plot, page.shown),
        "budgets": load_budgets(request.user, today),
        "sees_all": request.user.has_perm(SEES_USAGE),
    }
    return render(request, "usage/usage.html", context)


@require_safe
def usage_export(request: PersonRequest) -> HttpResponseBase:
    """The ledger's rows behind the page, `?format=csv` or `jsonl`; 404 for any other format."""
    filters, form = UsageFilters.read(request.GET, timezone.localdate()), _form(request)
    name = f"calls {filters.first} to {filters.last}"
    note_export(request.user, name, narrow_usage(request.user, filters))
    stream = stream_calls(narrow_calls(request.user, filters), form)
    return _as_file(StreamingHttpResponse(stream, content_type=FORMATS[form]), name, form)


@require_safe
def usage_table(request: PersonRequest) -> HttpResponseBase:
    """The table of the page, all lines of it, `?format=csv` or `jsonl`; 404 for any other format."""
    filters, form = UsageFilters.read(request.GET, timezone.localdate()), _form(request)
    name = f"usage by {filters.by} {filters.first} to {filters.last}"
    note_export(request.user, name, narrow_usage(request.user, filters))
    content = write_table(load_groups(request.user, filters), form)
    return _as_file(HttpResponse(content, content_type=FORMATS[form]), name, form)


def _sorted(filters: UsageFilters, column: str) -> str:
    ways = {column: "ascending", f"-{column}": "descending"}
    return ways.get(filters.sort, "")


def _form(request: PersonRequest) -> str:
    form = request.GET.get("format", "csv")
    if form not in FORMATS:
        raise Http404(f"The format is one of {', '.join(FORMATS)}.")
    return form


def _as_file(response: HttpResponseBase, name: str, form: str) -> HttpResponseBase:
    response["Content-Disposition"] = f'attachment; filename="{name.replace(" ", "-")}.{form}"'
    return response

"""The list of models, as a page and as a file, and what can be done to several at once."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.operations.models.export import write_csv
from benchwarmers.operations.models.filters import COLUMNS, PRICES, SORTS, RosterFilters
from benchwarmers.operations.models.many import act_on
from benchwarmers.operations.models.roster import load_all, load_choices, load_roster
from benchwarmers.operations.onboard.progress import load_progress
from gateway.canon.kinds import ModelRole, ModelStatus

LABELS: Final = {
    "alias": gettext_lazy("Model"),
    "status": gettext_lazy("Status"),
    "role": gettext_lazy("Role"),
    "context": gettext_lazy("Context"),
    "can": gettext_lazy("Can"),
    "offloads": gettext_lazy("Offloads"),
    "helped": gettext_lazy("Helped"),
    "suite": gettext_lazy("Suite"),
    "reply": gettext_lazy("Reply time"),
    "answered": gettext_lazy("Last answer"),
    "endpoint": gettext_lazy("Endpoint"),
    "price": gettext_lazy("Price"),
    "pace": gettext_lazy("Reply times"),
    "days": gettext_lazy("14 days"),
    "seats": gettext_lazy("Seats"),
}
NUMBERS: Final = frozenset({"context", "offloads", "suite", "reply", "price"})


@require_safe
def roster_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows; with `format=csv` all of it as a file."""
    filters = RosterFilters.read(request.GET)
    if request.GET.get("format") == "csv":
        return _file(request, filters)
    roster = load_roster(request.user, filters, timezone.now())
    context = {"filters": filters, "roster": roster, "roles": list(ModelRole), "columns": _columns(filters)}
    context |= {"newer": filters.at(roster.page - 1).here, "older": filters.at(roster.page + 1).here}
    context |= {"choices": load_choices(), "statuses": list(ModelStatus), "prices": PRICES}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "models/_roster.html", context)
        if request.htmx.trigger == "roster-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        response = render(request, "models/roster.html", context | {"progress": load_progress(request.user)})
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def act_on_many(request: PersonRequest) -> HttpResponse:
    """Do one thing to each model that is ticked, and tell of each that was refused."""
    told = act_on(request.user, request.POST.get("verb", ""), request.POST)
    for sentence in told.refused:
        messages.error(request, sentence)
    if told.done:
        messages.success(request, told.done)
    return redirect(reverse("operations:models") + RosterFilters.read(request.GET).here)


def _file(request: PersonRequest, filters: RosterFilters) -> HttpResponse:
    now = timezone.now()
    response = HttpResponse(write_csv(load_all(request.user, filters, now)), content_type=FORMATS["csv"])
    response["Content-Disposition"] = f'attachment; filename="models-{timezone.localtime(now):%Y-%m-%d}.csv"'
    return response


def _columns(filters: RosterFilters) -> list[tuple[str, object, str, str, bool]]:
    """(name, label, query string to sort by it or empty, how it is sorted or empty, whether it holds numbers)."""
    columns: list[tuple[str, object, str, str, bool]] = []
    for column in COLUMNS[filters.view]:
        way = "descending" if filters.sort.startswith("-") else "ascending"
        sorts = {"pace": "reply"}.get(column, column)
        where = filters.sorted_by(sorts).here if sorts in SORTS else ""
        columns.append((column, LABELS[column], where, way if filters.column == sorts else "", column in NUMBERS))
    return columns

"""The list of models, and what can be done to several at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.models.filters import FALLING, SORTS, RosterFilters
from benchwarmers.operations.models.roster import load_choices, load_roster
from collections_app.actions.language_model import do_set_role
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.refusal import Refused
from gateway.canon.kinds import ModelRole, ModelStatus
from probes.actions import do_retry_model

MOST: Final = 200
"""Models that one click changes."""
LABELS: Final = {
    "alias": "Model",
    "status": "Status",
    "endpoint": "Endpoint",
    "role": "Role",
    "context": "Context",
    "price": "Price",
    "answered": "Last answer",
}


@require_safe
def roster_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows."""
    filters = RosterFilters.read(request.GET)
    roster = load_roster(request.user, filters, timezone.now())
    context = {"filters": filters, "roster": roster, "roles": list(ModelRole), **_columns(filters)}
    context |= {"newer": filters.at(roster.page - 1).here, "older": filters.at(roster.page + 1).here}
    context |= {"choices": load_choices(request.user), "statuses": list(ModelStatus)}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "models/_roster.html", context)
        if request.htmx.trigger == "roster-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        response = render(request, "models/roster.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def act_on_many(request: PersonRequest) -> HttpResponse:
    """Do one thing to each model that is ticked, and tell of each that was refused."""
    back = redirect(reverse("operations:models") + RosterFilters.read(request.GET).here)
    does = MANY.get(request.POST.get("verb", ""))
    if does is None:
        messages.error(request, "Choose what is to be done with the models.")
        return back
    aliases = list(dict.fromkeys(request.POST.getlist("alias")))[:MOST]
    done: list[str] = []
    for alias in aliases:
        try:
            done.append(does[0](request.user, alias, request.POST.get("role", ""), request.POST.get("why", "")))
        except Refused as refusal:
            messages.error(request, f"{alias}: {refusal}")
    if not aliases:
        messages.error(request, "Tick the models that are meant.")
    elif done:
        messages.success(request, f"{does[1]}: {', '.join(done)}.")
    return back


def _columns(filters: RosterFilters) -> dict[str, object]:
    sorts = {}
    for column in SORTS:
        sorted_so = filters.sort.removeprefix("-") == column
        way = "descending" if filters.sort.startswith("-") else "ascending"
        sorts[column] = (LABELS[column], filters.sorted_by(column).here, way if sorted_so else "")
    return {"columns": sorts, "falling": FALLING}


def _retire(person: User, alias: str, role: str, why: str) -> str:
    return do_retire_model(actor=person, alias=alias, why=why).alias


def _restore(person: User, alias: str, role: str, why: str) -> str:
    return do_restore_model(actor=person, alias=alias).alias


def _retry(person: User, alias: str, role: str, why: str) -> str:
    do_retry_model(actor=person, alias=alias)
    return alias


def _set_role(person: User, alias: str, role: str, why: str) -> str:
    return do_set_role(actor=person, alias=alias, role=role).alias


MANY: Final[dict[str, tuple[Callable[[User, str, str, str], str], str]]] = {
    "retire": (_retire, "Retired"),
    "restore": (_restore, "Back on the bench"),
    "retry": (_retry, "Being asked"),
    "role": (_set_role, "Role set"),
}

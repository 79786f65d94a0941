"""The pages on which an endpoint is typed: a new one, and one with what is known of it. Testing asks the typed address
and saves nothing; saving tests first.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.endpoints.form import HUB_NAMES, EndpointForm, fill_preset
from benchwarmers.operations.endpoints.saving import TAKEN, save
from benchwarmers.operations.endpoints.selectors import admin_key_state, load_endpoint, load_models, path_to
from collections_app.actions.endpoint_key import free_name
from collections_app.models import Endpoint
from gateway.canon.kinds import EndpointKind
from probes.endpoint_trial import Found, try_endpoint
from probes.providers import PRESETS

GROUPS: Final = (
    (gettext_lazy("Providers"), (EndpointKind.PROVIDER, EndpointKind.AGGREGATOR)),
    (gettext_lazy("Hubs"), (EndpointKind.HUB,)),
    (gettext_lazy("On this machine"), (EndpointKind.LOCAL,)),
)


@require_http_methods(["GET", "HEAD", "POST"])
def new_endpoint(request: PersonRequest) -> HttpResponse:
    """The form, filled for a known provider (`?preset=`) or with what the address says (`?base=&name=`); what a test
    found; back to the endpoint once it is saved."""
    preset = PRESETS.get(request.GET.get("preset", ""))
    context: dict[str, Any] = {"preset": preset, "groups": _groups(), "hub_names": HUB_NAMES}
    if request.method != "POST":
        told = {name: request.GET.get(name, "")[:most] for name, most in (("base", 500), ("name", 32))}
        initial = fill_preset(preset, free_name(preset.id)) if preset else told
        form = EndpointForm(initial=initial | {"key_env": request.GET.get("key_env", "")[:100]})
        return render(request, "endpoints/new.html", context | {"form": form})
    form = EndpointForm(request.POST)
    if form.is_valid() and Endpoint.objects.filter(name=form.name_meant).exists():
        form.add_error("name", TAKEN.format(name=form.name_meant, free=free_name(form.name_meant)))
    return _answer(request, form, "endpoints/new.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def endpoint_page(request: PersonRequest, name: str) -> HttpResponse:
    """One endpoint: how it stands, its models, and the form for those who may change it."""
    line = load_endpoint(name, timezone.now())
    if line is None:
        raise Http404
    row = line.row
    models, decisions = load_models(row), list(row.decision_models.order_by("alias"))
    changes = not row.scripted and request.user.has_perm("collections_app.change_endpoint")
    context: dict[str, Any] = {
        "line": line,
        "endpoint": row,
        "models": models,
        "decisions": decisions,
        "names": [one.model.alias for one in models] + [one.alias for one in decisions],
        "alerts": row.alerts.all(),
        "admin_key": admin_key_state(row),
        "take_on": path_to("onboard"),
        "removable": not row.default or not _others(row),
        "just_listed": _listed(request.GET.get("listed", "")),
    }
    if request.method != "POST":
        return render(
            request, "endpoints/endpoint.html", context | {"form": EndpointForm(row=row) if changes else None}
        )
    if not changes:
        raise Http404
    return _answer(request, EndpointForm(request.POST, row=row), "endpoints/endpoint.html", context)


def _answer(request: PersonRequest, form: EndpointForm, page: str, context: dict[str, Any]) -> HttpResponse:
    """What a test found, alone for a script; the endpoint's page once it is saved; else the page with what is wrong."""
    found: Found | None = None
    testing = request.POST.get("do") != "save"
    if form.is_valid() and testing and "take" not in request.POST:
        found = try_endpoint(form.typed())
    elif form.is_valid() and not testing:
        tried = save(request.user, form)
        if tried.row is not None:
            return _saved(request, tried.row, tried.found)
        found = tried.found
    context |= {"form": form, "found": found, "tested": testing}
    if request.htmx and testing:
        return render(request, "endpoints/_trial.html", context)
    return render(request, page, context, status=422 if form.errors else 200)


def _saved(request: PersonRequest, row: Endpoint, found: Found | None) -> HttpResponse:
    messages.success(request, _("The endpoint %(name)s is saved.") % {"name": row.name})
    listed = f"?listed={len(found.models)}" if found is not None and found.listed else ""
    response = redirect("operations:endpoint", row.name)
    response["Location"] += listed
    return response


def _listed(text: str) -> int:
    """How many models a listing found, as the address says; 0 for what is no such number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _others(row: Endpoint) -> bool:
    return Endpoint.objects.exclude(pk=row.pk).exclude(kind=EndpointKind.PRACTICE).exists()


def _groups() -> list[tuple[str, list[Any]]]:
    return [(str(label), [preset for preset in PRESETS.values() if preset.kind in kinds]) for label, kinds in GROUPS]

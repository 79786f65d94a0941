"""A hub: the connections it has, what adding a model to one would do, and doing it.

The plan is asked for by address, so that it can be looked at again; adding decides anew and answers with a redirect, or
with the page and what went wrong.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from collections_app.actions.endpoint_key import admin_key_name_of
from collections_app.models import Endpoint
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind
from probes.hubs import known
from probes.hubs.adding import Onboarding, add_and_onboard
from probes.hubs.base import HubTrouble, Overview, Plan
from probes.hubs.door import adapter_of


@require_http_methods(["GET", "HEAD", "POST"])
def hub_page(request: PersonRequest, name: str) -> HttpResponse:
    """The page; 422 with what the hub refused."""
    endpoint = get_object_or_404(Endpoint, name=name, kind=EndpointKind.HUB)
    if not endpoint.hub:
        raise Http404("Nobody said what kind of hub this is.")
    asked = request.POST if request.method == "POST" else request.GET
    connection, model = asked.get("connection", "").strip(), asked.get("model", "").strip()
    context: dict[str, Any] = {}
    if request.method == "POST":
        try:
            plan = Plan(connection, model, asked.get("served", "").strip())
            done = add_and_onboard(endpoint, plan, actor=request.user, now=timezone.now())
        except UpstreamFault as fault:
            context = {"failed": _sentence(fault), "done": fault.done if isinstance(fault, HubTrouble) else ()}
        else:
            messages.success(request, _told(endpoint, done))
            return redirect("operations:hub", name)
    context |= _look(endpoint, connection, model)
    context |= {"endpoint": endpoint, "connection": connection, "model": model}
    context |= {"supports": adapter_of(endpoint).supports, "key_name": admin_key_name_of(endpoint)}
    return render(request, "hubs/hub.html", context, status=422 if context.get("failed") else 200)


def _look(endpoint: Endpoint, connection: str, model: str) -> dict[str, Any]:
    """What the hub says now, and the plan where one is asked for."""
    overview: Overview | None = None
    plan: Plan | None = None
    trouble = ""
    try:
        overview = known.overview(endpoint)
        if connection and model:
            plan = known.plan(endpoint, connection, model)
    except UpstreamFault as fault:
        trouble = _sentence(fault)
    return {"overview": overview, "plan": plan, "trouble": trouble}


def _told(endpoint: Endpoint, done: Onboarding) -> str:
    said = " ".join(done.added.steps) or _("%(name)s had it already.") % {"name": endpoint.name}
    if done.job is None:
        return _("%(steps)s It serves %(model)s, but that is not taken on: %(why)s") % {
            "steps": said,
            "model": done.added.served,
            "why": done.why,
        }
    return _("%(steps)s It serves %(model)s; taking it on is queued.") % {"steps": said, "model": done.added.served}


def _sentence(fault: UpstreamFault) -> str:
    words = fault.message[:1].upper() + fault.message[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."

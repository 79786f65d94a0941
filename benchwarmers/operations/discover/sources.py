"""The page on which curators say what providers and connections are."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from msgspec import Struct

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.discover.selectors import load_providers
from benchwarmers.people.answers import tried
from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.catalog.connections import UNKNOWN, connection_of
from probes.catalog.names import OWN_APP_ONLY
from probes.catalog.store_choices import do_set_connection, do_set_own_app, own_app_only
from probes.models import ConnectionFact, HubConnection, Offer

SAID = {"yes": True, "no": False}


class Said(Struct):
    """A connection, and what is said of it."""

    name: str
    paid: bool = False
    models_dev: str = ""


@require_safe
def sources_page(request: PersonRequest) -> HttpResponse:
    """Both lists."""
    only = own_app_only()
    free = Offer.objects.filter(free=True).order_by("provider").values_list("provider", flat=True).distinct()
    context = {
        "own": sorted((name, name in only) for name in OWN_APP_ONLY | only),
        "free": [name for name in free if name not in only | OWN_APP_ONLY],
        "connections": _connections(),
        "providers": load_providers(),
    }
    return render(request, "discover/sources.html", context)


@require_POST
def set_own_app(request: PersonRequest) -> HttpResponse:
    """Say whether a provider's free models answer in its own application alone."""
    provider, only = request.POST.get("provider", ""), SAID.get(request.POST.get("only", ""))
    tried(request, lambda: do_set_own_app(actor=request.user, provider=provider, only=only))
    return redirect("operations:discover-sources")


@require_POST
def set_connection(request: PersonRequest) -> HttpResponse:
    """Say what a connection is."""
    name = request.POST.get("connection", "")
    tried(
        request,
        lambda: do_set_connection(
            actor=request.user,
            connection=name,
            paid=request.POST.get("paid") == "1",
            models_dev=request.POST.get("models_dev", ""),
        ),
    )
    return redirect("operations:discover-sources")


def _connections() -> list[Said]:
    """Those there are, and those of which something is said."""
    names = set(
        Endpoint.objects.exclude(kind__in=(EndpointKind.PRACTICE, EndpointKind.HUB)).values_list("name", flat=True)
    )
    names |= set(HubConnection.objects.values_list("connection", flat=True))
    behind = LanguageModel.objects.filter(endpoint__kind=EndpointKind.HUB, retired_at__isnull=True)
    names |= {connection_of(model) for model in behind.select_related("endpoint")} - {UNKNOWN}
    said = {row.connection: Said(row.connection, row.paid, row.models_dev) for row in ConnectionFact.objects.all()}
    return [said.get(name, Said(name)) for name in sorted(names | said.keys())]

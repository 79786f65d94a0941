"""What the hubs say of an offer: asked once somebody looks at it and has the page, for it may take a while."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from probes.hubs.routes import hub_routes
from probes.models import Offer


@require_safe
def offer_hubs(request: PersonRequest, number: int) -> HttpResponse:
    """Each hub's way to this model with the steps that adding it would take; a page of its own without script."""
    offer = get_object_or_404(Offer, pk=number)
    found = hub_routes(offer.provider, offer.base, offer.served)
    whole = not request.htmx or request.htmx.history_restore_request
    response = render(request, "hubs/routes.html" if whole else "hubs/_routes.html", {"offer": offer, "found": found})
    patch_vary_headers(response, ["HX-Request"])
    return response

"""The pages of what providers offer: the list, one offer with its ways to the bench, and taking it on."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.discover import selectors
from benchwarmers.operations.discover.filters import PRICES, OfferFilters
from benchwarmers.operations.discover.looks import ABILITIES, KINDS, REACHES, look
from benchwarmers.people.answers import tried
from probes.catalog.press import do_refresh, fetching_is_on
from probes.catalog.reach import DIRECT, load_ways
from probes.models import Offer
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
from probes.providers import preset_at


@require_safe
def discover_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script the rows alone."""
    filters, now = OfferFilters.read(request.GET), timezone.now()
    context: dict[str, Any] = {"filters": filters, "shelf": selectors.load_shelf(filters, load_ways(), now)}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "discover/_list.html", context)
        if request.htmx.trigger == "offer-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        context |= {"providers": selectors.load_providers(), "reaches": list(REACHES.items()), "prices": PRICES}
        context |= {"kinds": KINDS, "abilities": ABILITIES} | _feeds()
        response = render(request, "discover/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def offer_page(request: PersonRequest, number: int) -> HttpResponse:
    """One offer; for a script the panel alone."""
    offer = get_object_or_404(selectors.shown_offers(), pk=number)
    now, ways = timezone.now(), load_ways()
    beside = selectors.load_beside(offer)
    found = selectors.load_ways_to(offer, beside, ways)
    context = {
        "offer": offer,
        "look": look(offer, ways.reach(offer)),
        "new": selectors.is_new(offer, now),
        "beside": beside,
        "ways": found,
        "reached": any(way.offer == offer for way in found),
        "preset": preset_at(offer.base) if offer.base else None,
    }
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "discover/_offer.html", context | {"panel": True})
    else:
        response = render(request, "discover/offer.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def add(request: PersonRequest, number: int) -> HttpResponse:
    """Take the offer on by an endpoint that leads to its provider; then to the queue."""
    offer = get_object_or_404(Offer, pk=number)
    endpoint = request.POST.get("endpoint", "")
    routes = load_ways().routes(offer.provider, offer.served)
    if not any(route.kind == DIRECT and route.endpoint == endpoint for route in routes):
        messages.error(
            request,
            _("The endpoint “%(endpoint)s” does not lead to %(provider)s any more.")
            % {"endpoint": endpoint[:32], "provider": offer.provider},
        )
        return redirect("operations:offer", number)
    now = timezone.now()
    done = _("%(model)s is queued on %(endpoint)s.") % {"model": offer.served, "endpoint": endpoint}
    if tried(request, lambda: do_onboard(actor=request.user, items=[Item(endpoint, offer.served)], now=now), done):
        return redirect("operations:onboard")
    return redirect("operations:offer", number)


@require_POST
def refresh(request: PersonRequest) -> HttpResponse:
    """Queue the job of the catalogue: `do=gather` shows what is at hand, anything else fetches first."""
    fetch = request.POST.get("do") != "gather"
    job = tried(request, lambda: do_refresh(actor=request.user, now=timezone.now(), fetch=fetch))
    if job is None:
        messages.info(request, _("The catalogue is being refreshed already."))
    return redirect("operations:discover")


@require_safe
def feeds_state(request: PersonRequest) -> HttpResponse:
    """How the feeds stand, for a page that shows them."""
    return render(request, "discover/_feeds.html", _feeds())


def _feeds() -> dict[str, Any]:
    return {
        "feeds": selectors.load_feeds(timezone.now()),
        "refreshing": selectors.open_refresh(),
        "fetching": fetching_is_on(),
    }

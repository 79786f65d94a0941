"""One model that providers offer, with the ways to the bench, and taking it on by one of them."""

from __future__ import annotations

from typing import Any, Final

from django.forms.models import model_to_dict
from django.utils import timezone
from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.discover.looks import look
from benchwarmers.operations.discover.selectors import Way, is_new, load_beside, load_ways_to, shown_offers
from collections_app.journal import require
from collections_app.models import Endpoint
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind
from probes.catalog.reach import load_ways
from probes.hubs.adding import add_and_onboard
from probes.hubs.base import HubTrouble, Plan
from probes.hubs.routes import HubRoute, hub_routes
from probes.models import Offer
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard

SHARED: Final = "Another way leads to the same provider: on one account both share one quota."
KEPT: Final = (
    *("provider", "name", "served", "label", "base", "free", "price_in", "price_out", "context_window", "max_output"),
    *("tools", "reasoning", "structured_output", "inputs", "outputs", "limits", "released", "knowledge"),
    *("open_weights", "sources"),
)


class Addition(Struct):
    """A model that is to be taken on: by an endpoint, or by a connection behind one that is a hub."""

    model: str
    endpoint: str
    connection: str = ""


class DiscoverView(ApiView):
    """GET /api/discover-model."""

    @asks("provider", "model", "hubs")
    def get(self, asked: Asked) -> Response:
        """One offer, by its provider and the id or the name that it has there. With `hubs=1` the hubs are asked too,
        which takes a while."""
        offer = _find(asked.get("provider", ""), asked.get("model", ""))
        ways = load_ways()
        beside = load_beside(offer)
        routes = [_route(way) for way in load_ways_to(offer, beside, ways)]
        troubles: tuple[str, ...] = ()
        if asked.get("hubs") == "1":
            require(self.person, "probes.add_job", "ask hubs")
            found = hub_routes(offer.provider, offer.base, offer.served)
            routes, troubles = routes + [_hub_route(one, offer) for one in found.routes], found.troubles
        reach = ways.reach(offer)
        row = model_to_dict(offer, KEPT) | {"reach": reach.value, "new": is_new(offer, timezone.now())}
        return self.done(
            model=row | {"first_seen": offer.first_seen, "words": look(offer, reach).reach_tells},
            routes=routes,
            also_on=[one.provider for one in beside],
            troubles=troubles,
        )


class AddView(ApiView):
    """POST /api/discover/add."""

    @takes(Addition)
    def post(self, said: Addition) -> Response:
        """Have it taken on; a hub gets it first, in the steps that are told."""
        row = Endpoint.objects.filter(name=said.endpoint).first()
        if row is None:
            raise Refused([("endpoint", f"There is no endpoint “{said.endpoint}”.")])
        if row.kind == EndpointKind.HUB and row.hub:
            return self._through(row, said)
        problems = Problems()
        fits = said.connection in ("", row.name)
        problems.check(fits, "connection", f"{row.name} is no hub, so it has no connections.")
        problems.refuse()
        (job,) = do_onboard(actor=self.person, items=[Item(row.name, said.model)], now=timezone.now())
        return self.done(served=said.model, endpoint=row.name, log=str(job.pk), steps=[], note="")

    def _through(self, hub: Endpoint, said: Addition) -> Response:
        try:
            plan = Plan(said.connection, said.model)
            done = add_and_onboard(hub, plan, actor=self.person, now=timezone.now())
        except UpstreamFault as fault:
            before = fault.done if isinstance(fault, HubTrouble) else ()
            stays = [("", f"This was done before, and stays: {step}") for step in before]
            raise Refused([("", fault.message), *stays]) from None
        served, job = done.added.served, done.job
        return self.done(
            served=served, endpoint=hub.name, log=str(job.pk) if job else "", steps=done.added.steps, note=done.why
        )


def _find(provider: str, model: str) -> Offer:
    problems = Problems()
    problems.check(bool(provider), "provider", "Name the provider.")
    problems.check(bool(model), "model", "Name the model as the provider knows it.")
    problems.refuse()
    rows = shown_offers().filter(provider=provider)
    offer = rows.filter(served=model).first() or rows.filter(name=model).first()
    if offer is None:
        raise NotThere([("model", f"{provider[:64]} offers no “{model[:200]}”, as far as the feeds tell.")])
    return offer


def _route(way: Way) -> dict[str, Any]:
    route = way.route
    direct = route.connection == route.endpoint
    return {
        **{"via": route.kind, "connection": route.connection, "endpoint": route.endpoint},
        "label": route.endpoint if direct else f"{route.connection} through {route.endpoint}",
        **{"note": SHARED if way.shared else "", "on_bench_as": route.on_bench_as},
        **_priced(way.offer),
    }


def _hub_route(one: HubRoute, offer: Offer) -> dict[str, Any]:
    plan = one.plan
    said = [*plan.refusals, *plan.notes] if plan else []
    return {
        **{"via": "hub", "hub": one.hub, "connection": one.connection, "endpoint": one.endpoint},
        **{"label": f"{one.connection} through {one.endpoint}", "note": " ".join(said)},
        **{"steps": list(plan.steps) if plan else [], "on_bench_as": one.on_bench_as},
        **_priced(offer),
    }


def _priced(offer: Offer) -> dict[str, Any]:
    """USD per million tokens, None where nobody says."""
    cost = {"input": offer.price_in, "output": offer.price_out}
    return {
        **{"provider": offer.provider, "model": offer.served, "free": offer.free},
        **{"cost": cost, "limits": offer.limits},
    }

"""The hubs of this installation, for sync code: worker threads and views. Each endpoint is a hub of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from collections_app.models import Endpoint
from gateway.canon.kinds import EndpointKind
from probes.hubs.base import Added, Overview, Plan, Tagged
from probes.hubs.door import admin_key, open_hub
from probes.listing import Listed
from probes.side import side


class Hubs(Protocol):
    """What asks hubs; tests have their own."""

    def overview(self, endpoint: Endpoint) -> Overview: ...

    def plan(self, endpoint: Endpoint, connection: str, model: str) -> Plan: ...

    def add(self, endpoint: Endpoint, plan: Plan) -> Added: ...


def overview(endpoint: Endpoint) -> Overview:
    """Its connections now. Raises UpstreamFault."""
    door = open_hub(endpoint)
    return side().with_transport(lambda transport: door.adapter.overview(door.ask(transport)))


def plan(endpoint: Endpoint, connection: str, model: str) -> Plan:
    """What adding would do. Raises UpstreamFault."""
    door = open_hub(endpoint)
    return side().with_transport(lambda transport: door.adapter.plan(door.ask(transport), connection, model))


def add(endpoint: Endpoint, plan: Plan) -> Added:
    """Do it, decided again. Raises UpstreamFault, as HubTrouble with the steps that were taken."""
    door = open_hub(endpoint)
    return side().with_transport(lambda transport: door.adapter.add(door.ask(transport), plan))


def behind(endpoint: Endpoint) -> dict[str, str]:
    """Where each of its connections leads: name to base, empty where the hub does not tell. Nothing for a hub without
    an admin key. Raises UpstreamFault."""
    if not admin_key(endpoint):
        return {}
    return {one.name: one.base for one in overview(endpoint).connections}


def tags_of(endpoint: Endpoint, listed: Iterable[Listed]) -> dict[str, Tagged]:
    """Where the models that a hub lists come from: served id to (tag, upstream id). Empty for an endpoint that is no
    hub, or whose administration has no key. What cannot be told is missing. Raises UpstreamFault."""
    if endpoint.kind != EndpointKind.HUB or not endpoint.hub or not admin_key(endpoint):
        return {}
    entries = {one.served: one.raw for one in listed}
    door = open_hub(endpoint)
    return side().with_transport(lambda transport: door.adapter.tags(door.ask(transport), entries))

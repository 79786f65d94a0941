"""Which hubs could bring a provider's model, asked of the hubs themselves: for the moment that somebody looks at one.

All hubs are asked at the same time; one that does not answer is a line of trouble and keeps nobody waiting longer than
its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.fault import Silent, UpstreamFault
from gateway.canon.kinds import EndpointKind
from gateway.engine.transport import Transport
from probes.hubs.base import HubConnection, Plan
from probes.hubs.connections import same_base
from probes.hubs.door import Door, open_hub
from probes.models import ConnectionFact
from probes.side import side

WAIT_S: Final = 20.0


class HubRoute(Struct, frozen=True):
    """A way through a hub. `plan` says what adding the model would do, with the adapter's own steps; None when no
    model was asked about. `on_bench_as` is its alias where it is registered this way."""

    endpoint: str
    hub: str
    connection: str
    plan: Plan | None = None
    on_bench_as: str = ""


class HubRoutes(Struct, frozen=True):
    """The ways, and why some hubs could not be asked."""

    routes: tuple[HubRoute, ...] = ()
    troubles: tuple[str, ...] = ()


def hub_routes(provider: str, base: str, model: str = "") -> HubRoutes:
    """Connections of any hub that lead to this provider: by their name, by what is said of them here, or by an equal
    address. Sync; takes up to WAIT_S seconds."""
    facts = dict(ConnectionFact.objects.exclude(models_dev="").values_list("connection", "models_dev"))
    doors, troubles = [], []
    for endpoint in Endpoint.objects.filter(kind=EndpointKind.HUB).exclude(hub=""):
        try:
            doors.append(open_hub(endpoint))
        except UpstreamFault as fault:
            troubles.append(f"{endpoint.name}: {fault.message}")
    if not doors:
        return HubRoutes(troubles=tuple(troubles))

    async def ask_all(transport: Transport) -> list[tuple[HubRoute, ...] | UpstreamFault]:
        return await asyncio.gather(*(_ask(door, transport, provider, base, model, facts) for door in doors))

    routes: list[HubRoute] = []
    for door, came in zip(doors, side().with_transport(ask_all), strict=True):
        if isinstance(came, UpstreamFault):
            troubles.append(f"{door.name}: {came.message}")
        else:
            routes += came
    return HubRoutes(tuple(_with_aliases(routes)), tuple(troubles))


def leads_to(connection: HubConnection, provider: str, base: str, facts: Mapping[str, str]) -> bool:
    """True when a connection is one to this provider. What is said of it here goes before its name."""
    said = facts.get(connection.name)
    if said is not None:
        return said == provider
    return connection.name == provider or same_base(connection.base, base)


async def _ask(
    door: Door, transport: Transport, provider: str, base: str, model: str, facts: Mapping[str, str]
) -> tuple[HubRoute, ...] | UpstreamFault:
    ask, label = door.ask(transport), door.adapter.supports.label
    try:
        async with asyncio.timeout(WAIT_S):
            overview = await door.adapter.overview(ask)
            found = [one for one in overview.connections if leads_to(one, provider, base, facts)]
            plans = [await door.adapter.plan(ask, one.id, model) if model else None for one in found]
    except TimeoutError:
        return Silent(f"no answer in {WAIT_S:g} s")
    except UpstreamFault as fault:
        return fault
    return tuple(HubRoute(door.name, label, one.id, plan) for one, plan in zip(found, plans, strict=True))


def _with_aliases(routes: list[HubRoute]) -> list[HubRoute]:
    live = LanguageModel.objects.filter(retired_at__isnull=True, endpoint__name__in={one.endpoint for one in routes})
    rows = live.values_list("endpoint__name", "served", "alias")
    aliases = {(endpoint, served): alias for endpoint, served, alias in rows}
    return [
        replace(one, on_bench_as=aliases.get((one.endpoint, one.plan.served), "")) if one.plan else one
        for one in routes
    ]

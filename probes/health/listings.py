"""Lists all endpoints at the same time. One that cannot be listed is told, and keeps nobody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from collections_app.models import Endpoint
from gateway.canon.fault import Broken, UpstreamFault
from gateway.engine.transport import Transport
from probes.listing import Door, Listed, door_of, fetcher, read_listing
from probes.side import side

Came = list[Listed] | UpstreamFault
AT_ONCE: Final = 16
NOTHING: Final = "it lists no model at all, which is taken for a fault of the listing"


def list_endpoints(endpoints: Iterable[Endpoint]) -> dict[int, Came]:
    """What each endpoint lists, or the fault that kept it from that, by its id. Sync; never from within a loop."""
    came: dict[int, Came] = {}
    doors: dict[int, Door] = {}
    for endpoint in endpoints:
        try:
            doors[endpoint.pk] = door_of(endpoint)
        except UpstreamFault as fault:
            came[endpoint.pk] = fault
    return came | (side().with_transport(lambda transport: _list_all(transport, doors)) if doors else {})


async def _list_all(transport: Transport, doors: dict[int, Door]) -> dict[int, Came]:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(door: Door) -> Came:
        async with free:
            try:
                return await read_listing(fetcher(transport, door), door) or Broken(NOTHING)
            except UpstreamFault as fault:
                return fault.with_traceback(None)

    return dict(zip(doors, await asyncio.gather(*map(one, doors.values())), strict=True))

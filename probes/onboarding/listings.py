"""What the endpoints list, kept for a minute: pages turn and filter without asking anybody again.

The copy lies in Django's cache. Where that is away, every look asks anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Final, TypeVar

import msgspec
from django.core.cache import cache
from msgspec import Struct
from redis.exceptions import RedisError

from collections_app.models import Endpoint
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind
from gateway.engine.transport import Transport
from probes.hubs.known import tags_of
from probes.listing import Door, door_of, fetcher, read_listing
from probes.listing_forms import Listed
from probes.side import side

KEPT_S: Final = 90
FAILED_KEPT_S: Final = 15
"""How long a failure is believed: long enough to look through the other endpoints' models without waiting for it."""
WAIT_S: Final = 15.0
Came = TypeVar("Came")
Lister = Callable[[Endpoint], list[Listed]]
Told = list[Listed] | UpstreamFault
log = logging.getLogger(__name__)


class Listing(Struct, frozen=True):
    """What one endpoint listed at a time, or in `error` why it could not be asked."""

    at: datetime
    models: tuple[Listed, ...] = ()
    error: str = ""

    def find(self, served: str) -> Listed | None:
        """The model of this name."""
        return next((one for one in self.models if one.served == served), None)


def real_endpoints() -> list[Endpoint]:
    """Those that have models to take on: the practice squad is there or not as a whole."""
    return list(Endpoint.objects.exclude(kind=EndpointKind.PRACTICE))


def load_listings(
    endpoints: Iterable[Endpoint], now: datetime, *, fresh: bool = False, lister: Lister | None = None
) -> dict[str, Listing]:
    """By the endpoint's name. All that are not kept are asked at the same time; `fresh` asks every one."""
    rows = list(endpoints)
    found = {} if fresh else {row.name: kept for row in rows if (kept := _kept(row)) is not None}
    missing = [row for row in rows if row.name not in found]
    if not missing:
        return found
    for row, told in zip(missing, _ask(missing, lister), strict=True):
        found[row.name] = _keep(row, told, now)
    return found


def load_listing(endpoint: Endpoint, now: datetime, *, fresh: bool = False, lister: Lister | None = None) -> Listing:
    """Of one endpoint."""
    return load_listings([endpoint], now, fresh=fresh, lister=lister)[endpoint.name]


def forget_listings(endpoints: Iterable[Endpoint]) -> None:
    """The next look asks anew."""
    try:
        cache.delete_many([_key(row) for row in endpoints])
    except (RedisError, OSError) as error:
        log.warning("kept listings could not be dropped (%s)", type(error).__name__)


def _ask(endpoints: list[Endpoint], lister: Lister | None) -> list[Told]:
    """What each of them lists, or why it could not be asked. What needs the database is done in this thread."""
    if lister is not None:
        return [_told(lister, endpoint) for endpoint in endpoints]
    doors = [_told(door_of, endpoint) for endpoint in endpoints]
    told = side().with_transport(lambda transport: _ask_all(transport, doors))
    return [_tagged(endpoint, listed) for endpoint, listed in zip(endpoints, told, strict=True)]


def _tagged(endpoint: Endpoint, told: Told) -> Told:
    """With the connections behind a hub, as far as it tells them."""
    if endpoint.kind != EndpointKind.HUB or isinstance(told, UpstreamFault):
        return told
    try:
        tags = tags_of(endpoint, told)
    except UpstreamFault as fault:
        log.warning("hub %s does not tell its connections (%s)", endpoint.name, fault.message[:200])
        return told
    return [
        msgspec.structs.replace(one, connection=tag.tag, upstream_id=tag.upstream_id)
        if (tag := tags.get(one.served)) is not None
        else one
        for one in told
    ]


async def _ask_all(transport: Transport, doors: list[Door | UpstreamFault]) -> list[Told]:
    async def ask(door: Door | UpstreamFault) -> Told:
        if isinstance(door, UpstreamFault):
            return door
        try:
            return await read_listing(fetcher(transport, door), door, WAIT_S)
        except UpstreamFault as fault:
            return fault

    return await asyncio.gather(*map(ask, doors))


def _told(ask: Callable[[Endpoint], Came], endpoint: Endpoint) -> Came | UpstreamFault:
    try:
        return ask(endpoint)
    except UpstreamFault as fault:
        return fault


def _kept(endpoint: Endpoint) -> Listing | None:
    try:
        body = cache.get(_key(endpoint))
    except (RedisError, OSError) as error:
        log.warning("no listing is kept while the cache is away (%s)", type(error).__name__)
        return None
    if not isinstance(body, bytes):
        return None
    try:
        return msgspec.msgpack.decode(body, type=Listing)
    except msgspec.DecodeError:
        return None  # of another version of this program


def _keep(endpoint: Endpoint, told: Told, now: datetime) -> Listing:
    if isinstance(told, UpstreamFault):
        listing = Listing(now, error=told.message[:400] or type(told).__name__)
    else:
        listing = Listing(now, tuple(told))
    try:
        kept_s = FAILED_KEPT_S if listing.error else KEPT_S
        cache.set(_key(endpoint), msgspec.msgpack.encode(listing), kept_s)
    except (RedisError, OSError, OverflowError) as error:  # the last for a number that is too large to be written
        log.warning("a listing could not be kept (%s)", type(error).__name__)
    return listing


def _key(endpoint: Endpoint) -> str:
    """Another address, key name or header is another listing."""
    asked: Mapping[str, object] = {
        field: getattr(endpoint, field)
        for field in ("base", "api", "key_name", "key_env", "models_url", "unlisted_models", "headers", "kind")
    }
    digest = sha256(msgspec.json.encode(asked)).hexdigest()[:16]
    return f"onboarding:listing:{endpoint.pk}:{digest}"

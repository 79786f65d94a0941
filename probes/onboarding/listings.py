"""What the endpoints list, kept for a minute: pages turn and filter without asking anybody again.

The copy lies in Django's cache. Where that is away, every look asks anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec
from django.core.cache import cache
from django.db import connection
from msgspec import Struct
from redis.exceptions import RedisError

from collections_app.models import Endpoint
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind
from probes.listing import list_models
from probes.listing_forms import Listed

KEPT_S: Final = 90
FAILED_KEPT_S: Final = 15
"""How long a failure is believed: long enough to look through the other endpoints' models without waiting for it."""
WAIT_S: Final = 15.0
AT_ONCE: Final = 8
Lister = Callable[[Endpoint], list[Listed]]
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
    with ThreadPoolExecutor(min(AT_ONCE, len(missing)), thread_name_prefix="listing") as pool:
        asked = list(pool.map(lambda row: _ask_apart(row, now, lister or _list), missing))
    for row, listing in zip(missing, asked, strict=True):
        _keep(row, listing)
        found[row.name] = listing
    return found


def load_listing(endpoint: Endpoint, now: datetime, *, fresh: bool = False, lister: Lister | None = None) -> Listing:
    """Of one endpoint, asked in this thread."""
    kept = None if fresh else _kept(endpoint)
    if kept is not None:
        return kept
    listing = _ask(endpoint, now, lister or _list)
    _keep(endpoint, listing)
    return listing


def forget_listings(endpoints: Iterable[Endpoint]) -> None:
    """The next look asks anew."""
    try:
        cache.delete_many([_key(row) for row in endpoints])
    except (RedisError, OSError) as error:
        log.warning("kept listings could not be dropped (%s)", type(error).__name__)


def _list(endpoint: Endpoint) -> list[Listed]:
    return list_models(endpoint, wait_s=WAIT_S)


def _ask_apart(endpoint: Endpoint, now: datetime, lister: Lister) -> Listing:
    """In a thread of the pool, which has a connection to the database of its own."""
    try:
        return _ask(endpoint, now, lister)
    finally:
        connection.close()


def _ask(endpoint: Endpoint, now: datetime, lister: Lister) -> Listing:
    try:
        return Listing(now, tuple(lister(endpoint)))
    except UpstreamFault as fault:
        return Listing(now, error=fault.message[:400] or type(fault).__name__)


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


def _keep(endpoint: Endpoint, listing: Listing) -> None:
    try:
        kept_s = FAILED_KEPT_S if listing.error else KEPT_S
        cache.set(_key(endpoint), msgspec.msgpack.encode(listing), kept_s)
    except (RedisError, OSError) as error:
        log.warning("a listing could not be kept (%s)", type(error).__name__)


def _key(endpoint: Endpoint) -> str:
    """Another address, key name or header is another listing."""
    asked: Mapping[str, object] = {
        field: getattr(endpoint, field)
        for field in ("base", "api", "key_name", "key_env", "models_url", "unlisted_models", "headers", "kind")
    }
    digest = sha256(msgspec.json.encode(asked)).hexdigest()[:16]
    return f"onboarding:listing:{endpoint.pk}:{digest}"

"""Fetches the public feeds: only when a job of the catalogue runs, which is when its schedule or a person says so.

Each feed degrades by itself. What is no feed is trouble, and never replaces the copy at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from gateway.canon.fault import UpstreamFault
from gateway.engine.fetch import Fetched, fetch_document
from gateway.engine.transport import Transport
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.shapes import NotTheFeed, read
from probes.catalog.store_feeds import MOST_BYTES, keep_feed, keep_trouble
from probes.models import Feed
from probes.side import side

ADDRESSES: Final[Mapping[str, str]] = {
    MODELS_DEV: "https://models.dev/api.json",
    OPENROUTER: "https://openrouter.ai/api/v1/models",
    FREELLMAPI: "https://api.freellmapi.co/v1/latest",
}
WAIT_S: Final = 90.0
FRESH: Final = timedelta(hours=20)

Get = Callable[[str], Fetched]
"""GET an address. Raises an UpstreamFault."""


def get(url: str) -> Fetched:
    """The reply at an address, sync. Raises an UpstreamFault."""

    async def ask(transport: Transport) -> Fetched:
        return await fetch_document(transport, "GET", url, wait_s=WAIT_S)

    return side().with_transport(ask)


def is_old(feed: Feed | None, now: datetime) -> bool:
    """Whether a feed is to be fetched: there is no copy, just the shipped one, or one that is not of today."""
    return feed is None or feed.shipped or feed.fetched_at is None or now - feed.fetched_at > FRESH


def fetch(name: str, url: str, clock: Callable[[], datetime], ask: Get = get) -> str:
    """Fetch a feed and keep it; a sentence of how that went."""
    try:
        reply = ask(url)
        if not reply.ok:
            raise NotTheFeed(f"the reply was HTTP {reply.status}")
        if len(reply.body) > MOST_BYTES:
            raise NotTheFeed(f"the reply is larger than {MOST_BYTES:,} bytes")
        read(name, reply.body)
    except UpstreamFault as fault:
        return _failed(name, fault.message, clock())
    except NotTheFeed as problem:
        return _failed(name, str(problem), clock())
    keep_feed(name, reply.body, clock())
    return f"{name}: fetched, {len(reply.body):,} bytes"


def _failed(name: str, words: str, now: datetime) -> str:
    keep_trouble(name, words, now)
    return f"{name}: {words}; the copy at hand stays"

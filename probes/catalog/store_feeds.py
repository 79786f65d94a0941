"""The last good copy of each feed, and how its last try went."""

from __future__ import annotations

import zlib
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from collections_app.announce import tell_pages
from probes.catalog.shapes import NotTheFeed, read
from probes.models import Feed

TOPIC: Final = "feeds"
MOST_BYTES: Final = 24_000_000


def keep_feed(name: str, body: bytes, now: datetime, *, shipped: bool = False) -> None:
    """Take a body as the last good copy; it was read already."""
    said = {"body": zlib.compress(body, 6), "fetched_at": now, "trouble": "", "shipped": shipped}
    Feed.objects.update_or_create(name=name, defaults=said if shipped else {**said, "tried_at": now})
    tell_pages(TOPIC)


def keep_trouble(name: str, words: str, now: datetime) -> None:
    """Note that a try failed. The copy stays."""
    said = {"trouble": " ".join(words.split())[:300], "tried_at": now}
    Feed.objects.update_or_create(name=name, defaults=said)
    tell_pages(TOPIC)


def wants_shipped(name: str, made: datetime) -> bool:
    """Whether there is no copy, or a shipped one that is older than this day's."""
    row = Feed.objects.filter(name=name).only("fetched_at", "shipped").first()
    return row is None or row.fetched_at is None or (row.shipped and row.fetched_at < made)


def add_shipped(name: str, body: bytes, made: datetime) -> bool:
    """Keep the copy that came with the program where it is wanted; whether it was taken."""
    with transaction.atomic():
        Feed.objects.select_for_update().filter(name=name).first()  # a fetch may end at this very time
        wanted = wants_shipped(name, made)
        if wanted:
            keep_feed(name, body, made, shipped=True)
    return wanted


def document_of(feed: Feed | None) -> Any:
    """What a copy holds; None where there is none, or where it cannot be read."""
    if feed is None or not feed.body:
        return None
    try:
        return read(feed.name, zlib.decompress(bytes(feed.body)))
    except (zlib.error, NotTheFeed):
        return None

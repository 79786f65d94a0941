"""Keeps the offers as rows, and since when each has been there.

An offer is new when a feed that was read here before has it now and had it not then. What the first reading of a feed
brings is where it starts from, so neither a first start nor the first copy after the shipped one makes everything new.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from django.db import transaction

from collections_app.announce import tell_pages
from probes.catalog.offers import Offered, build
from probes.catalog.sources import FreeLlmApi, ModelsDev
from probes.models import Offer

TOPIC: Final = "offers"
SHIPPED: Final = " (shipped)"
FIELDS: Final = tuple(name for name in Offered.__struct_fields__ if name not in ("provider", "name"))


def gather_offers(models_dev: ModelsDev, free: FreeLlmApi, live: frozenset[str], now: datetime) -> str:
    """Make the rows what the feeds offer; a sentence of what changed. `live` are the feeds that were fetched here."""
    found = build(models_dev, free)
    rows = {(row.provider, row.name): row for row in Offer.objects.all()}
    seen = {source for row in rows.values() for source in row.sources if not source.endswith(SHIPPED)}
    fresh: list[Offer] = []
    changed: list[Offer] = []
    for key, one in found.items():
        one.sources = [source if source in live else source + SHIPPED for source in one.sources]
        row = rows.get(key)
        if row is None:
            is_new = bool(seen & set(one.sources))
            fresh.append(Offer(**msgspec.structs.asdict(one), first_seen=now if is_new else None, seen_at=now))
        elif any(getattr(row, field) != getattr(one, field) for field in FIELDS):
            for field in FIELDS:
                setattr(row, field, getattr(one, field))
            row.seen_at = now
            changed.append(row)
    gone = [row.pk for key, row in rows.items() if key not in found]
    with transaction.atomic():
        Offer.objects.bulk_create(fresh, batch_size=500)
        Offer.objects.bulk_update(changed, [*FIELDS, "seen_at"], batch_size=100)
        for start in range(0, len(gone), 500):
            Offer.objects.filter(pk__in=gone[start : start + 500]).delete()
    if fresh or changed or gone:
        tell_pages(TOPIC)
    free_ones = sum(one.free for one in found.values())
    return (
        f"{len(found):,} offers, {free_ones:,} free: {len(fresh):,} more, {len(changed):,} changed, {len(gone):,} gone"
    )

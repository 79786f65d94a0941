"""Writes what is kept of listings when names on a hub change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from collections_app.models import Endpoint
from probes.models import Served


def move_served(endpoint: Endpoint, moves: Mapping[str, str], now: datetime) -> None:
    """Since when a name has been seen goes over to its new name (`moves`, before to now), which was listed at `now`."""
    with transaction.atomic():
        for before, after in moves.items():
            row = Served.objects.filter(endpoint=endpoint, served=before).first()
            if row is None:
                continue
            there = Served.objects.filter(endpoint=endpoint, served=after).first()
            if there is not None:
                there.first_seen = min(there.first_seen, row.first_seen)
                there.last_seen, there.first_missing = now, None
                there.save()
                row.delete()
            else:
                row.served, row.last_seen, row.first_missing = after, now, None
                row.save()

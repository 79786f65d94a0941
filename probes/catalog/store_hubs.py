"""Keeps which connections each hub has, so that what can be had through them is known without asking the hub."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from collections_app.models import Endpoint
from probes.models import HubConnection


def keep_connections(endpoint: Endpoint, found: Mapping[str, str], now: datetime) -> None:
    """Make the rows of a hub be these connections: by name, where each leads (empty where that is not known)."""
    rows = {row.connection: row for row in HubConnection.objects.filter(endpoint=endpoint)}
    named = {name[:100]: base[:500] for name, base in found.items() if name}
    fresh = [
        HubConnection(endpoint=endpoint, connection=name, base=base, seen_at=now)
        for name, base in named.items()
        if name not in rows
    ]
    gone = [row.pk for name, row in rows.items() if name not in named]
    moved = [row for name, row in rows.items() if name in named and row.base != named[name]]
    for row in moved:
        row.base, row.seen_at = named[row.connection], now
    with transaction.atomic():
        HubConnection.objects.bulk_create(fresh)
        HubConnection.objects.bulk_update(moved, ["base", "seen_at"])
        HubConnection.objects.filter(pk__in=gone).delete()

"""Writes down what endpoints list: when each name was seen there last, and since when it is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.models import Served

WHOLE_KINDS = frozenset({EndpointKind.HUB, EndpointKind.LOCAL})
LONGEST = 200


def recorded_whole(endpoint: Endpoint) -> bool:
    """Whether all that it lists is written down, so that what is new there can be told; of others it is what is
    registered."""
    return endpoint.default and endpoint.kind in WHOLE_KINDS


def note_listing(endpoint: Endpoint, listed: Collection[str], now: datetime) -> None:
    """What the endpoint lists at this moment. A name that was seen before and is not listed is missing from now on."""
    names = {served for served in listed if len(served) <= LONGEST}
    with transaction.atomic():
        known = dict(Served.objects.filter(endpoint=endpoint).values_list("served", "first_missing"))
        recorded = names if recorded_whole(endpoint) else names & (_registered(endpoint) | set(known))
        rows = Served.objects.filter(endpoint=endpoint)
        for some in _in_parts(recorded & set(known)):
            rows.filter(served__in=some).update(last_seen=now, first_missing=None)
        gone = [served for served, missing in known.items() if served not in names and missing is None]
        for some in _in_parts(gone):
            rows.filter(served__in=some).update(first_missing=now)
        new = [
            Served(endpoint=endpoint, served=served, first_seen=now, last_seen=now)
            for served in sorted(recorded - set(known))
        ]
        Served.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)


def _registered(endpoint: Endpoint) -> set[str]:
    live = LanguageModel.objects.filter(endpoint=endpoint, retired_at=None)
    return set(live.values_list("served", flat=True))


def _in_parts(names: Iterable[str], size: int = 500) -> Iterable[list[str]]:
    """Databases take so many values in one statement."""
    every = sorted(names)
    for start in range(0, len(every), size):
        yield every[start : start + size]


def move_served(endpoint: Endpoint, old: str, new: str) -> None:
    """What was seen of a name that is listed as `new` from now on belongs to that."""
    rows = Served.objects.filter(endpoint=endpoint)
    if rows.filter(served=new).exists():
        rows.filter(served=old).delete()
    else:
        rows.filter(served=old).update(served=new, first_missing=None)

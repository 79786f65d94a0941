"""A person's press: have the feeds fetched now, or what came with the program shown."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User

from collections_app.journal import require
from probes.catalog.refresh import ALL, KEY, NONE
from probes.jobs.store import enqueue
from probes.models import Job

KIND = "catalog"


def do_refresh(*, actor: User | None, now: datetime, fetch: bool = True) -> Job | None:
    """Queue the job of the catalogue, with every feed fetched anew where that is on; without `fetch` it asks nobody and
    gathers what is at hand. None when one is open already.

    :raises NotAllowed: the actor may not start work.
    """
    require(actor, "probes.add_job", "refresh the catalogue")
    payload = {"fetch": ALL} if fetch else {"fetch": NONE, "describe": False}
    return enqueue(KIND, KEY, now=now, payload=payload, actor=actor)


def fetching_is_on() -> bool:
    """Whether feeds may be fetched at all."""
    return bool(settings.BENCH.feeds)

"""What is being played now, and what was played last. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.db.models.functions import Substr

from benchwarmers.dashboard.selectors import HEAD_CHARACTERS, LIGHT
from benchwarmers.sight import visible_panels
from gateway.models import Panel, Seat

MOST: Final = 6
"""Panels on the start page, those that run first."""


@dataclass(frozen=True, slots=True)
class Game:
    """A panel: the beginning of its question, and its line-up."""

    panel: Panel
    head: str
    seats: Sequence[Seat]


def load_games(person: User) -> list[Game]:
    """What runs, and below it the newest that ended, of what this person may see. Three queries."""
    seen = visible_panels(person)
    running = list(_light(seen.filter(state="running"))[:MOST])
    ended = [one for one in _light(seen)[:MOST] if one.state != "running"]
    shown = [*running, *ended][:MOST]
    prefetch_related_objects(shown, Prefetch("seats", queryset=Seat.objects.only(*LIGHT).order_by("place")))
    return [Game(one, str(getattr(one, "head", "")), list(one.seats.all())) for one in shown]


def _light(found: QuerySet[Panel]) -> QuerySet[Panel]:
    rows = found.defer("prompt", "system", "skipped", "left_out").annotate(head=Substr("prompt", 1, HEAD_CHARACTERS))
    return rows.select_related("owner").order_by("-started_at", "-pk")

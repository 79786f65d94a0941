"""Who owes verdicts: oneself, and the others whose panels one sees. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User

from benchwarmers.dashboard.cards import PLAYING
from benchwarmers.dashboard.judge import count_owed
from benchwarmers.dashboard.selectors import RECENT
from benchwarmers.sight import SEES_PANELS
from collections_app.models import Verdict
from gateway.models import Panel, Seat

MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Owed:
    """How many verdicts wait for oneself, and for whom else: (name, how many), the most first."""

    own: int
    others: Sequence[tuple[str, int]]


def load_owed(person: User) -> Owed | None:
    """Over the newest panels, as the queue counts; None for whoever judges nothing. Four queries."""
    if not person.has_perm("gateway.judge"):
        return None
    return Owed(count_owed(person), _others(person) if person.has_perm(SEES_PANELS) else [])


def _others(person: User) -> list[tuple[str, int]]:
    newest = Panel.objects.order_by("-started_at", "-pk").values_list("pk", "owner_id", "owner__username")[:RECENT]
    asked = {panel: (owner, name) for panel, owner, name in newest if owner not in (None, person.pk)}
    seats = Seat.objects.filter(panel__in=asked).exclude(status__in=PLAYING).order_by()
    waits = {call: asked[panel] for call, panel in seats.values_list("call", "panel_id")}
    judged = set(Verdict.objects.filter(call__in=waits).order_by().values_list("call", "judge_id"))
    debts = Counter(name for call, (owner, name) in waits.items() if (call, owner) not in judged)
    return debts.most_common(MOST)

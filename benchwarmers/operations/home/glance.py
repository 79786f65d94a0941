"""How things stand, in a few numbers. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count
from django.urls import reverse
from msgspec import Struct

from benchwarmers.dashboard.judge import count_owed
from benchwarmers.sight import visible_panels
from collections_app.models import LanguageModel
from gateway.canon.kinds import EndpointKind, ModelStatus

DAY = timedelta(days=1)


class Figure(Struct, frozen=True):
    """A number, what it counts, what it is of (empty: nothing), and where to read more."""

    number: int
    counts: str
    of: str = ""
    path: str = ""


def glance(person: User, now: datetime) -> list[Figure]:
    """What this person sees of the last day, and of the models."""
    figures = [
        Figure(
            visible_panels(person).filter(started_at__gte=now - DAY).count(),
            "panels in the last 24 hours",
            path=reverse("dashboard:panels"),
        )
    ]
    if person.has_perm("gateway.judge"):
        figures.append(Figure(count_owed(person), "verdicts you owe", path=reverse("dashboard:judge")))
    states = dict(
        LanguageModel.objects.filter(retired_at__isnull=True)
        .exclude(endpoint__kind=EndpointKind.PRACTICE)
        .order_by()
        .values_list("status")
        .annotate(Count("id"))
    )
    known = sum(states.values()) - states.get(ModelStatus.UNTESTED, 0)
    if known:
        figures.append(
            Figure(
                states.get(ModelStatus.HEALTHY, 0), "models healthy", f"of {known} tried", reverse("operations:models")
            )
        )
    return figures

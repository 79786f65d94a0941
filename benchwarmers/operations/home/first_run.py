"""The steps from an empty installation to a panel of one's own. Reads only."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.urls import reverse
from msgspec import Struct

from collections_app.models import Collection, Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from gateway.models import Panel

PRACTICE: Final = {"endpoint__kind": EndpointKind.PRACTICE}


class Step(Struct, frozen=True):
    """One step; `now` marks the one to take next."""

    name: str
    tells: str
    action: str
    path: str
    done: bool
    now: bool = False


def first_steps(person: User) -> list[Step]:
    """All of them while one of the first three is open and the person can take them; nothing afterwards."""
    if not person.has_perm("collections_app.add_endpoint"):
        return []
    real = LanguageModel.objects.exclude(**PRACTICE)
    own = Collection.objects.exclude(members__endpoint__kind=EndpointKind.PRACTICE).filter(members__isnull=False)
    endpoints = Endpoint.objects.exclude(kind=EndpointKind.PRACTICE).exists()
    models = real.filter(retired_at__isnull=True).exists()
    collections = own.exists()
    if endpoints and models and collections:
        return []
    panels: Any = Panel.objects
    steps = [
        (
            "Add an endpoint",
            "Where models answer: a provider, a hub, or this machine.",
            "Add one",
            reverse("operations:endpoints"),
        ),
        (
            "Take models on",
            "They are tried with a few short calls first.",
            "Choose models",
            reverse("operations:onboard"),
        ),
        ("Make a collection", "Who answers together.", "Make one", reverse("admin:collections_app_collection_add")),
        ("Ask it", "Any client that speaks one of six APIs.", "See the panels", reverse("dashboard:panels")),
        ("Judge the answers", "Verdicts decide who sits next.", "Judge", reverse("dashboard:judge")),
    ]
    asked = collections and panels.filter(collection_name__in=own.values("name")).exists()
    done = (endpoints, models, collections, asked, False)
    first = done.index(False)
    return [Step(*step, done=done[place], now=place == first) for place, step in enumerate(steps)]

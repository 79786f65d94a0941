"""The steps from an empty installation to a judged panel of one's own, with what is at hand for the first, and what
others find while there is nothing to ask. Reads only; an installation that plays costs one query.
"""

from __future__ import annotations

import os
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import Struct

from benchwarmers.sight import visible_collections
from collections_app.actions.practice import NAME
from collections_app.models import Collection, Endpoint, LanguageModel, Standing
from gateway.canon.kinds import EndpointKind
from probes.detect import keys_at_hand

PRACTICE: Final = {"endpoint__kind": EndpointKind.PRACTICE}
ADDS: Final = "collections_app.add_endpoint"
ASKS: Final = "gateway.ask"
SETTLED: Final = 60
"""After so many seats nobody is a newcomer, whether they judge or not."""


class Step(Struct, frozen=True):
    """One step; `now` marks the one to take next."""

    name: str
    tells: str
    action: str
    path: str
    done: bool
    now: bool = False


def load_first_run(person: User) -> dict[str, Any]:
    """What the start page shows of it: the `steps`, with the `keys` of the environment while there is no endpoint; or
    `waits`, for those who cannot take the steps. `practising` says whether the practice squad is here to be asked."""
    worked, judged = _played()
    if judged or worked >= SETTLED:
        return {}
    if not person.has_perm(ADDS):
        waits = not _own(visible_collections(person)).exists()
        return {"waits": True, "asks": person.has_perm(ASKS), "practising": _squad(person)} if waits else {}
    steps = first_steps(worked=bool(worked))
    first = next(place for place, step in enumerate(steps) if step.now)
    return {
        "steps": steps,
        "step_number": first + 1,
        "practising": _squad(person),
        "keys": keys_at_hand(os.environ) if first == 0 else [],
    }


def first_steps(*, worked: bool) -> list[Step]:
    """All of them. `worked` is true once somebody asked a model that is no practice."""
    collections = _own(Collection.objects.all()).exists()
    endpoints = collections or Endpoint.objects.exclude(kind=EndpointKind.PRACTICE).exists()
    models = collections or LanguageModel.objects.exclude(**PRACTICE).filter(retired_at__isnull=True).exists()
    steps = [
        (
            _("Add an endpoint"),
            _("Where models answer: a provider, a hub, or this machine."),
            _("Add one"),
            reverse("operations:endpoints"),
        ),
        (
            _("Take models on"),
            _("They are tried with a few short calls first."),
            _("Choose models"),
            reverse("operations:onboard"),
        ),
        (_("Make a collection"), _("Who answers together."), _("Make one"), reverse("operations:collection-new")),
        (_("Ask it"), _("Here, or from any client that speaks one of six APIs."), _("Ask"), reverse("ask:ask")),
        (_("Judge the answers"), _("Verdicts decide who sits next."), _("Judge"), reverse("dashboard:judge")),
    ]
    done = (endpoints, models, collections, collections and worked, False)
    first = done.index(False)
    return [Step(*step, done=done[place], now=place == first) for place, step in enumerate(steps)]


def _own(collections: QuerySet[Collection]) -> QuerySet[Collection]:
    """Those with members that are no practice."""
    return collections.exclude(members__endpoint__kind=EndpointKind.PRACTICE).filter(members__isnull=False)


def _played() -> tuple[int, int]:
    """How often models that are no practice worked, and how often that was judged: from the standings, one a model."""
    whole = Standing.objects.filter(collection_name="", shape="")
    sums = whole.exclude(language_model__endpoint__kind=EndpointKind.PRACTICE).aggregate(
        worked=Sum("offloads"), judged=Sum("judged")
    )
    return int(sums["worked"] or 0), int(sums["judged"] or 0)


def _squad(person: User) -> bool:
    squad = visible_collections(person).filter(name=NAME, members__endpoint__kind=EndpointKind.PRACTICE)
    return person.has_perm(ASKS) and squad.exists()

"""What is asked for when models are to be taken on, and what is refused before anything runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from django.utils import timezone
from msgspec import Struct

from collections_app.actions.language_model import check_new_alias
from collections_app.aliases import derive_alias
from collections_app.models import DecisionModel, Endpoint, LanguageModel
from collections_app.refusal import Problems
from gateway.canon.kinds import EndpointKind
from probes.models import Job
from probes.models.job import OPEN

KIND: Final = "onboard"
MOST: Final = 50
SERVED: Final = re.compile(r"[\w./:@+-]{1,200}")


class Mode(StrEnum):
    """How a model is taken on: with the suite at once, with the suite as the schedule comes to it, or without it and
    called only when it is named."""

    FULL = "full"
    QUICK = "quick"
    AD_HOC = "quick-adhoc"


class Item(Struct, frozen=True):
    """One model: what its endpoint calls it, how it is to be taken on, and the alias it is to have; one is derived from
    its name where that is empty."""

    endpoint: str
    served: str
    mode: str = Mode.FULL.value
    alias: str = ""

    @property
    def key(self) -> str:
        """Of its job: of one model one is open at a time."""
        return f"{self.endpoint}:{self.served}"


def item_of(job: Job) -> Item:
    """What a job is about."""
    said: dict[str, Any] = job.payload
    names = (str(said.get("endpoint", "")), str(said.get("served", "")), str(said.get("mode", Mode.FULL)))
    return Item(*names, alias=str(said.get("alias", "")))


def check_items(items: Sequence[Item], problems: Problems, *, again: bool = False) -> dict[str, Endpoint]:
    """Every reason against any of them; the endpoints by name. `again`: registered is what they may be already."""
    problems.check(bool(items), "items", "Choose at least one model.")
    problems.check(
        len(items) <= MOST, "items", f"At most {MOST} models are taken on in one go; these are {len(items)}."
    )
    endpoints = {row.name: row for row in Endpoint.objects.filter(name__in={item.endpoint for item in items})}
    open_keys = set(Job.objects.filter(kind=KIND, state__in=OPEN).values_list("key", flat=True))
    seen: set[str] = set()
    for item in items[:MOST]:
        _check_item(item, endpoints.get(item.endpoint), problems, again=again)
        problems.check(item.key not in open_keys, "items", f"{item.served} on {item.endpoint} is under way already.")
        problems.check(item.key not in seen, "items", f"{item.served} on {item.endpoint} is named twice.")
        seen.add(item.key)
        if not again:
            _check_alias(item, problems)
    return endpoints


def _check_alias(item: Item, problems: Problems) -> None:
    if item.alias:
        check_new_alias(item.alias, problems)
    elif SERVED.fullmatch(item.served) and not derive_alias(item.served):
        problems.add(
            "alias",
            f"No alias can be derived from {item.served}: it has no Latin letter or digit. "
            "Take it on by itself, and give it an alias.",
        )


def _check_item(item: Item, endpoint: Endpoint | None, problems: Problems, *, again: bool) -> None:
    problems.check(item.mode in set(Mode), "mode", f"The mode is one of {', '.join(Mode)}.")
    if SERVED.fullmatch(item.served) is None:
        problems.add(
            "served",
            f"{item.served[:60]!r} is no name that can be taken on: 1 to 200 letters, digits and . / : @ + - _",
        )
        return
    if endpoint is None:
        problems.add("endpoint", f"There is no endpoint “{item.endpoint}”.")
        return
    if endpoint.kind == EndpointKind.PRACTICE:
        problems.add("endpoint", f"{endpoint.name} is the practice squad; its characters come by themselves.")
        return
    problems.add("served", why_not(endpoint, item.served, again=again))


def why_not(endpoint: Endpoint, served: str, *, again: bool = False) -> str:
    """Why this model cannot be taken on, as a sentence; empty when it can."""
    live = LanguageModel.objects.filter(endpoint=endpoint, served=served, retired_at__isnull=True).first()
    if live is not None:
        return "" if again else f"{served} is on the bench already: {live.alias} on {endpoint.name}."
    decides = DecisionModel.objects.filter(via=endpoint, served=served).first()
    if decides is not None:
        return f"{served} is on the bench already: the decision model {decides.alias} on {endpoint.name}."
    gone = LanguageModel.objects.filter(endpoint=endpoint, served=served).order_by("retired_at").last()
    if gone is None or gone.retired_at is None:
        return ""
    day = timezone.localtime(gone.retired_at).date()
    return (
        f"{served} on {endpoint.name} was retired on {day} as {gone.alias} ({gone.retired_why}). Restore {gone.alias}: "
        "it keeps its name and what is known of it."
    )

"""Describes the models of one endpoint by its listing and the feeds at hand, and one model for whoever takes it on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind
from probes.catalog.alerts import settle_paid
from probes.catalog.knowledge import Knowledge, by_served, gather
from probes.catalog.names import FREELLMAPI
from probes.catalog.store import with_facts, write_facts
from probes.listing import Listed, list_models

List = Callable[[Endpoint], list[Listed]]
"""The models an endpoint lists. Raises an UpstreamFault."""


class Described(Struct, frozen=True):
    """`lines` for people, `listing` None when the endpoint did not list."""

    lines: tuple[str, ...]
    listing: tuple[Listed, ...] | None


def describe_endpoint(
    endpoint: Endpoint,
    models: Iterable[LanguageModel],
    knowledge: Knowledge,
    clock: Callable[[], datetime],
    ask: List = list_models,
) -> Described:
    """Write the facts of these models of one endpoint. Their facts must have been loaded."""
    models = list(models)
    listing: list[Listed] | None = None
    lines: list[str] = []
    try:
        listing = ask(endpoint)
    except UpstreamFault as fault:
        lines.append(f"{endpoint.name}: no listing ({fault.message}); what it said last stays")
    table = None if listing is None else by_served(listing)
    said = [(model, knowledge.of(model, table)) for model in models]
    with transaction.atomic():  # a price that was written is not news again
        count, priced = write_facts(
            said, clock(), listed=listing is not None, free_at_hand=FREELLMAPI in knowledge.at_hand
        )
        news = settle_paid(priced, knowledge.connections.paid, clock())
    lines.append(f"{endpoint.name}: {count} of {len(models)} models have news")
    return Described((*lines, *news), None if listing is None else tuple(listing))


def describe_model(model: LanguageModel, ask: List = list_models, clock: Callable[[], datetime] = timezone.now) -> str:
    """Describe one model, and say how that went: what is known of it, by whom. Asks its endpoint alone, fetches no
    feed."""
    if model.endpoint.kind == EndpointKind.PRACTICE:
        return "a scripted model needs no description"
    one = LanguageModel.objects.filter(pk=model.pk)
    described = describe_endpoint(model.endpoint, with_facts(one), gather(), clock, ask)
    facts = {fact.field: fact for fact in model.facts.filter(source="feed")}
    numbers = [(field.replace("_", " "), facts[field]) for field in _NUMBERS if field in facts]
    known = [f"{words} {fact.value:,} ({fact.evidence})" for words, fact in numbers]
    can = [field.replace("_", " ") for field in _ABILITIES if field in facts and facts[field].value is True]
    known += [f"can {', '.join(can)}"] if can else []
    trouble = described.lines[:-1] if described.listing is None else described.lines[1:]
    return "; ".join([*(known or ["no feed knows it"]), *trouble])


_NUMBERS = ("context_window", "max_output")
_ABILITIES = ("tools", "vision", "structured_output", "reasoning")

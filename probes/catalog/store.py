"""Writes what feeds and listings say of models as facts, and since when a model costs money that was free.

A refresh writes what changed and announces it once; one that finds everything as it was leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from msgspec import Struct

from collections_app.announce import announce, tell_pages
from collections_app.facts import merge
from collections_app.journal import journal
from collections_app.models import Fact, LanguageModel
from probes.catalog.changes import Changes, changes
from probes.catalog.precedence import Decided

FEED: Final = "feed"
BY: Final = "catalog"
TOPIC: Final = "models"


class Priced(Struct, frozen=True):
    """A model's prices before and after: the operator's own where there are some, else the feed's."""

    model: LanguageModel
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def with_facts(models: Any) -> list[LanguageModel]:
    """The models of a query with their endpoints and facts, in two statements."""
    return list(models.select_related("endpoint").prefetch_related("facts"))


def write_facts(
    said: Iterable[tuple[LanguageModel, Mapping[str, Decided]]], now: datetime, *, listed: bool, free_at_hand: bool
) -> tuple[int, list[Priced]]:
    """(how many models have another value now, the prices of each). The models' facts must have been loaded; they are
    as they were before afterwards. The statements are few, however many models there are."""
    fresh: list[Fact] = []
    changed: list[Fact] = []
    gone: list[int] = []
    priced: list[Priced] = []
    others, deciding = 0, False
    for model, decided in said:
        known = {fact.field: fact for fact in model.facts.all() if fact.source == FEED}
        found = changes(known.values(), decided, listed=listed, free_at_hand=free_at_hand)
        for field, one in found.write.items():
            fact = known.get(field)
            into = fresh if fact is None else changed
            into.append(_fact(model, field, one, fact, now))
        gone += [known[field].pk for field in found.forget]
        others, deciding = others + found.telling, deciding or found.deciding
        priced.append(_prices(model, found))
    with transaction.atomic():
        # Another refresh may have written one of them a moment ago.
        Fact.objects.bulk_create(
            fresh,
            batch_size=500,
            update_conflicts=True,
            unique_fields=["language_model", "field", "source"],
            update_fields=["value", "evidence", "seen_at"],
        )
        Fact.objects.bulk_update(changed, ["value", "evidence", "seen_at"], batch_size=200)
        Fact.objects.filter(pk__in=gone).delete()
        if deciding:
            announce(TOPIC)
        elif fresh or changed or gone:
            tell_pages(TOPIC)
    return others, priced


def set_paid(model: LanguageModel, since: datetime | None) -> bool:
    """Note since when a model costs money that was free, or that it does not; whether that is news."""
    if model.went_paid_at == since:
        return False
    with journal(None, TOPIC, by=BY) as log:
        before = model.went_paid_at.isoformat() if model.went_paid_at else None
        log.note("model", model.alias, "went_paid_at", old=before, new=since.isoformat() if since else None)
        LanguageModel.objects.filter(pk=model.pk).update(went_paid_at=since)
        model.went_paid_at = since
    return True


def _fact(model: LanguageModel, field: str, one: Decided, fact: Fact | None, now: datetime) -> Fact:
    """The row to write: another object than the one loaded, which stays as it was."""
    return Fact(
        pk=fact.pk if fact else None,
        language_model=model,
        field=field,
        value=one.value,
        source=FEED,
        evidence=one.text,
        seen_at=now,
    )


def _prices(model: LanguageModel, found: Changes) -> Priced:
    rows = [fact for fact in model.facts.all() if fact.field == "prices"]
    before = merge(rows)[0].get("prices") or {}
    new = found.write.get("prices")
    if new is not None:
        rows = [row for row in rows if row.source != FEED] + [Fact(field="prices", value=new.value, source=FEED)]
    return Priced(model, before, merge(rows)[0].get("prices") or {})

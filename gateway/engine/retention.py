"""Deletes what is older than it is to be kept, a few rows a transaction. Sync.

A rule names rows; they are walked by an indexed column and their key, so that a batch begins where the one before it
ended and never passes again over what is gone. Between two batches others write, and a run that is broken off is
continued by the next: what is old is asked anew each time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from msgspec import Struct

from collections_app.journal import journal
from gateway.engine.batch_usage import day_of
from gateway.engine.usage_store import bounds_of

CHUNK: Final = 2_000
"""Rows a transaction."""
LONGEST_REST_S: Final = 0.5
NAME: Final = "retention"
log = logging.getLogger(__name__)

Between = Callable[[int, int], object]
"""Hears after each batch how many of how many rows went; may raise to end it."""


class Rule(Struct, frozen=True):
    """`rows` are what must go, of what the change log calls `thing`, walked by the column `by`, which is indexed.
    `chunk` is how many a transaction takes, and `clear` deletes what hangs on the rows of some keys."""

    thing: str
    rows: QuerySet[Any]
    by: str = "at"
    chunk: int = CHUNK
    clear: Callable[[Sequence[Any]], object] | None = None
    told: bool = True


def kept_from(now: datetime, days: int) -> datetime:
    """The first moment that is kept, when `days` whole days of the server's time zone before today are."""
    return bounds_of(day_of(now) - timedelta(days=days))[0]


def delete_old(
    rules: Sequence[Rule],
    between: Between = lambda done, of: None,
    rest: Callable[[float], object] = time.sleep,
) -> dict[str, int]:
    """How many rows went, by what they were; that is in the change log too, also of a run that is broken off. Rests
    after each batch as long as it took, so that writers have half of the disk, and of SQLite's one lock."""
    total = sum(rule.rows.count() for rule in rules)
    done = 0
    deleted: dict[str, int] = {}
    for rule in rules:
        deleted[rule.thing] = 0
        try:
            for count, took_s in _batches(rule):
                deleted[rule.thing] += count
                done += count
                between(done, max(done, total))
                rest(min(took_s, LONGEST_REST_S))
        finally:
            _tell(rule, deleted[rule.thing])
    return deleted


def _batches(rule: Rule) -> Iterator[tuple[int, float]]:
    """How many rows went with each transaction, and its seconds."""
    after: tuple[Any, Any] | None = None
    while True:
        began = time.monotonic()
        found = list(_next(rule, after).values_list(rule.by, "pk")[: rule.chunk])
        if not found:
            return
        keys = [pk for _, pk in found]
        with transaction.atomic():
            if rule.clear is not None:
                # Those alone that are still old: somebody may go on with what rested for so long.
                keys = list(rule.rows.filter(pk__in=keys).select_for_update().values_list("pk", flat=True))
                rule.clear(keys)
            gone = rule.rows.model._default_manager.filter(pk__in=keys).order_by().delete()[1]
            count = gone.get(rule.rows.model._meta.label, 0)
        yield count, time.monotonic() - began
        after = found[-1]


def _next(rule: Rule, after: tuple[Any, Any] | None) -> QuerySet[Any]:
    rows = rule.rows.order_by(rule.by, "pk")
    if after is None:
        return rows
    by, pk = after
    # The first bound is for the index: a database finds no range in the second.
    return rows.filter(**{f"{rule.by}__gte": by}).filter(Q(**{f"{rule.by}__gt": by}) | Q(pk__gt=pk))


def _tell(rule: Rule, count: int) -> None:
    if not count:
        return
    log.info("deleted %d rows of the %s that were too old", count, rule.thing)
    if rule.told:
        with journal(None, NAME, by=NAME) as journaled:
            journaled.note(NAME, rule.thing, "rows", old=count, new=0)

"""Writes what was heard of limits and learned of models. Sync; runs in the recorder's thread, in the batch's own
transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.backends.utils import CursorWrapper
from django.db.models import Q

from collections_app.actions.learned import write_learned
from gateway.engine.insert import Row, insert, taken
from gateway.engine.records import Learned, QuotaTold
from gateway.models import Quota

KEPT_PAST_RESET: Final = timedelta(days=1)
KEPT_WITHOUT_RESET: Final = timedelta(days=7)
_KEY = ("connection", "alias", "metric", '"window"')
_SAID = ('"limit"', "remaining", "reset_at", "source", "quota", "observed_at")
"""Two of the names are words of SQL, so they are quoted."""
_THEN = taken(_SAID) + " WHERE excluded.observed_at >= {table}.observed_at"


def write_quotas(cursor: CursorWrapper, told: Iterable[QuotaTold]) -> None:
    """One row a limit, the latest word of it. What is long past goes."""
    latest: dict[tuple[str, str, str, str], QuotaTold] = {}
    for record in told:
        one = record.told
        latest[one.connection, one.alias, one.metric, one.window] = record
    # Sorted, so that two processes lock the rows in one order.
    rows = (_row(latest[key]) for key in sorted(latest))
    insert(cursor, Quota, (*_KEY, *_SAID), rows, on=", ".join(_KEY), then=_THEN)
    if latest:
        at = max(record.at for record in latest.values())
        past = Q(reset_at__lt=at - KEPT_PAST_RESET) | Q(reset_at=None, observed_at__lt=at - KEPT_WITHOUT_RESET)
        Quota.objects.filter(past).delete()


def write_lessons(learned: Iterable[Learned]) -> None:
    """Each lesson, as far as it says more than what was known."""
    for lesson in learned:
        write_learned(lesson.language_model_id, lesson.field, lesson.value, lesson.evidence)


def _row(record: QuotaTold) -> Row:
    told = record.told
    reset = None if told.reset_at is None else datetime.fromtimestamp(told.reset_at, UTC)
    return (
        *(told.connection[:100], told.alias[:64], told.metric, told.window, told.limit, told.remaining),
        *(reset, told.source[:64], told.quota[:200], record.at),
    )

"""What a scope has sent by the ledger's account, for windows that start empty. Sync; runs in the reader's thread."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet, Sum

from gateway.engine.pace_rules import BUCKET_MS, DAY_MS, MINUTE_MS, Scope
from gateway.engine.pace_windows import History
from gateway.models import Call

LONGEST_CALL: Final = timedelta(minutes=15)
"""A row tells when its call began; its requests may have been sent until it ended."""
log = logging.getLogger(__name__)


def read_history(scope: Scope, now: int) -> History:
    """The requests and tokens of a scope up to `now` (ms). A call counts at its end, so that no window forgets it too
    soon. Empty when the database does not answer: a limit must not stand in the way of every call then."""
    try:
        return _history(scope, now)
    except (OperationalError, InterfaceError) as error:
        log.warning("the ledger cannot be read (%s); %s starts to count anew", error, scope.name)
        return History()


def _history(scope: Scope, now: int) -> History:
    at = datetime.fromtimestamp(now / 1000, UTC)
    rows = Call.objects.filter(connection=scope.connection, attempts__gt=0).order_by()
    if scope.alias:
        rows = rows.filter(alias=scope.alias)
    history = History()
    if scope.limits.minute or scope.limits.day:
        _read_windows(rows, scope, now, at, history)
    if scope.limits.rpmo:
        month = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        history.month = f"{at:%Y-%m}"
        history.month_requests = rows.filter(at__gte=month).aggregate(sent=Sum("attempts"))["sent"] or 0
    return history


def _read_windows(rows: QuerySet[Call], scope: Scope, now: int, at: datetime, history: History) -> None:
    span = timedelta(days=1) if scope.limits.day else timedelta(minutes=1)
    found = rows.filter(at__gt=at - span - LONGEST_CALL).values_list(
        "pk", "at", "seconds", "attempts", "tokens_in", "tokens_out"
    )
    for row, began, seconds, attempts, tokens_in, tokens_out in found.iterator(chunk_size=2_000):
        sent = min(int((began.timestamp() + seconds) * 1000), now)
        tokens = (tokens_in or 0) + (tokens_out or 0)
        if scope.limits.day and sent > now - DAY_MS:
            requests, spent = history.day.get(sent // BUCKET_MS, (0, 0))
            history.day[sent // BUCKET_MS] = (requests + attempts, spent + tokens)
        if scope.limits.minute and sent > now - MINUTE_MS:
            for nth in range(attempts):
                history.recent.append((sent, f"row {row}/{nth}", tokens if nth == 0 else 0))

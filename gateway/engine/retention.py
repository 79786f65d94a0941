"""Deletes what is older than it is to be kept: rows of the ledger, the change log and the log of answers read. Sync.

The sums of usage stay. Whole days of the server's time zone go, so that what the ledger holds of a day is all of it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Model

from collections_app.journal import journal
from collections_app.models import Change, Setting
from gateway.engine.batch_usage import day_of
from gateway.engine.usage_store import bounds_of
from gateway.models import Call, Reading

CHUNK: Final = 2_000
"""Rows a transaction: others write between two of them."""
NAME: Final = "retention"
log = logging.getLogger(__name__)


def delete_old(now: datetime) -> dict[str, int]:
    """How many rows went, by what they were. A run that is broken off is continued by the next."""
    setting = Setting.load()
    deleted = {
        "ledger": _delete(Call, setting.ledger_days, now),
        "change log": _delete(Change, setting.log_days, now),
        "readings": _delete(Reading, setting.log_days, now),
    }
    with journal(None, NAME, by=NAME) as journaled:
        for thing, count in deleted.items():
            if count:
                log.info("deleted %d rows of the %s that were too old", count, thing)
                journaled.note(NAME, thing, "rows", old=count, new=0)
    return deleted


def kept_from(now: datetime, days: int) -> datetime:
    """The first moment that is kept, when `days` whole days before today are."""
    return bounds_of(day_of(now) - timedelta(days=days))[0]


def _delete(model: type[Model], days: int, now: datetime) -> int:
    if not days:
        return 0
    old: Any = model._default_manager.filter(at__lt=kept_from(now, days)).order_by("at")
    count = 0
    while pks := list(old.values_list("pk", flat=True)[:CHUNK]):
        count += model._default_manager.filter(pk__in=pks).delete()[0]
    return count

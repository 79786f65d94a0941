"""Fills an empty, migrated database, and says what took how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from random import Random

from django.db import connection

from benchwarmers.tests.performance.big.amounts import Amounts
from benchwarmers.tests.performance.big.grow import grow
from benchwarmers.tests.performance.big.health import pour_alerts, pour_jobs, pour_listings, pour_offers, pour_samples
from benchwarmers.tests.performance.big.house import House, make_house
from benchwarmers.tests.performance.big.ledger import pour_ledger, pour_sums
from benchwarmers.tests.performance.big.log import pour_log
from benchwarmers.tests.performance.big.suited import pour_suite
from benchwarmers.tests.performance.big.talks import pour_talks
from benchwarmers.tests.performance.big.work import pour_claims, pour_evidence, pour_panels
from collections_app.standings_store import rebuild_standings

Say = Callable[[str], object]


def seed(amounts: Amounts, now: datetime, say: Say = lambda text: None) -> House:
    """Everything that the amounts want, the same for the same time. The sums of usage and the standings are made by
    the product's own programs, so they are what the engine would have written."""
    with _timed("people and catalogue", say):
        house = make_house(Random(7), now, amounts)
    with _timed("panels and seats", say):
        calls, pieces = pour_panels(house)
    with _timed("claims", say):
        pour_claims(house, calls)
    with _timed("conversations, turns and shadows", say):
        talked, worked = pour_talks(house)
    with _timed("evidence and verdicts", say):
        pour_evidence(house, pieces + worked)
    with _timed("probes", say):
        probed = pour_samples(house)
    with _timed("the ledger", say):
        pour_ledger(house, calls + talked + probed)
    with _timed("listings, alerts, offers, jobs", say):
        pour_listings(house)
        pour_alerts(house)
        pour_offers(house)
        pour_jobs(house)
    with _timed("suite", say):
        pour_suite(house)
    with _timed("change log", say):
        pour_log(house)
    if amounts.copies > 1:
        with _timed("many times over", say):
            grow(amounts.copies, amounts.days)
    with _timed("standings", say):
        rebuild_standings()
    with _timed("sums of the ledger", say):
        pour_sums()
    return house


def settle(say: Say = lambda text: None) -> None:
    """What autovacuum would have done by then, on Postgres; SQLite does nothing by itself."""
    if connection.vendor == "postgresql":
        with _timed("vacuum", say), connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


@contextmanager
def _timed(what: str, say: Say) -> Iterator[None]:
    began = time.perf_counter()
    yield
    say(f"{what}: {time.perf_counter() - began:.1f} s")

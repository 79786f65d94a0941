"""Every page over a small part of a large installation: how many queries it asks, and that none of them reads a big
table from end to end. How long pages take is measured by the program in `big`, over all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from benchwarmers.tests.performance.big.amounts import SMALL
from benchwarmers.tests.performance.big.hot import do, hot
from benchwarmers.tests.performance.big.measure import PEOPLE, QUERIES, Figure, measure
from benchwarmers.tests.performance.big.pages import LEFT_OUT, TABLE, readable
from benchwarmers.tests.performance.big.plans import whole_reads
from benchwarmers.tests.performance.big.seed import seed
from collections_app.stamp import use_stamp
from gateway.engine.redirect import redirected
from gateway.tests.engine.test_batch import postgres

__all__ = ["postgres"]

# Without the first mark of any test there would be no database to fill.
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]
CURATOR = "maya"
LED_AWAY = {
    *("dashboard:seat", "dashboard:login", "mfa_activate_totp", "mfa_add_webauthn"),
    *("operations:connect", "operations:connect-by-path", "ask:board", "ask:recent", "operations:logs-output"),
}
"""Pages that lead whoever is signed in, brings nothing or is no script to another."""


OWED_READS = {
    "collections_app_change": {"dashboard:changes"},
    "suite_attempt": {"operations:benchmarks", "operations:models"},
    "suite_score": {"operations:benchmarks", "operations:models"},
}
"""What pages still read whole. Nothing is added to these."""


@dataclass(frozen=True)
class Taken:
    """Each page with the queries that read a big table whole, and on Postgres what else does, by what it is."""

    pages: list[tuple[Figure, list[str]]]
    hot: dict[str, list[str]]


def take(people: tuple[str, ...]) -> Taken:
    """Over a small installation, on Postgres over two of them one before the other."""
    put_back = use_stamp(lambda: False)
    on_postgres = connection.vendor == "postgresql"
    try:
        with transaction.atomic():
            seed(replace(SMALL, copies=2) if on_postgres else SMALL, timezone.now())
            figures = list(measure(people, rounds=0, brief=True))
            pages = [(one, whole_reads(sql for sql, _ in one.statements) if is_hot(one) else []) for one in figures]
            others = hot(timezone.now()) if on_postgres else {}
            taken = Taken(pages, {name: _reads(act) for name, act in others.items()})
            transaction.set_rollback(True)
    finally:
        put_back()
    return taken


def _reads(act: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as caught:
        do(act)
    return whole_reads(query["sql"] for query in caught.captured_queries)


@pytest.fixture(scope="module")
def on_sqlite(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> list[tuple[Figure, list[str]]]:
    with django_db_blocker.unblock():
        assert connection.vendor == "sqlite"
        return take(PEOPLE).pages


@pytest.fixture
def on_postgres(postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker) -> Iterator[Taken]:
    with django_db_blocker.unblock(), redirected(**postgres):
        yield take((CURATOR,))


def test_every_page_is_in_the_table() -> None:
    """A page that is new goes into `big/pages.py`, with what its address may say."""
    there = {one.name for one in readable()}
    assert there - set(TABLE) - set(LEFT_OUT) == set()
    assert (set(TABLE) | set(LEFT_OUT)) - there == set()


def test_no_page_fails_or_asks_more_than_it_may(on_sqlite: list[tuple[Figure, list[str]]]) -> None:
    assert {one.status for one, _ in on_sqlite} <= {200, 302, 403, 404}
    many = [one for one, _ in on_sqlite if one.queries > QUERIES]
    assert [(one.person, one.address, one.queries) for one in many] == []


def test_most_pages_are_shown_to_somebody(on_sqlite: list[tuple[Figure, list[str]]]) -> None:
    """Otherwise nothing was measured."""
    shown = {one.route for one, _ in on_sqlite if one.status == 200}
    assert set(TABLE) - shown <= LED_AWAY


def test_no_page_reads_a_big_table_whole(on_sqlite: list[tuple[Figure, list[str]]]) -> None:
    assert found_whole(on_sqlite) == []


@pytest.mark.xdist_group("postgres")
def test_nothing_reads_a_big_table_whole_on_postgres(on_postgres: Taken) -> None:
    """Pages, and what is asked at every turn, panel and verdict, by the schedule and by programs."""
    assert {one.status for one, _ in on_postgres.pages} <= {200, 302, 403, 404}
    assert found_whole(on_postgres.pages) == []
    assert len(on_postgres.hot) > 20
    assert {name: reads for name, reads in on_postgres.hot.items() if reads} == {}


def is_hot(one: Figure) -> bool:
    """Words are looked for in the rows themselves, and the admin's lists are for looking things up."""
    return one.person == CURATOR and "q=" not in one.address and not one.route.startswith("admin:")


def found_whole(read: list[tuple[Figure, list[str]]]) -> list[str]:
    """What is read whole by which page."""
    found = set()
    for one, whole in read:
        owed = {table for table, routes in OWED_READS.items() if one.route in routes}
        found |= {f"{one.address}: {each}" for each in whole if each.partition(":")[0] not in owed}
    return sorted(found)

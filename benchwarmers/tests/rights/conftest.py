"""The cast, made once for a module: every test asks in a transaction of its own within the one that made it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from benchwarmers.tests.rights.cast import Cast, make_cast, make_clients
from collections_app.stamp import use_stamp


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    """People, keys and things. No Redis is asked for a stamp."""
    put_back = use_stamp(lambda: False)
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_cast()
        transaction.set_rollback(True)
    put_back()


@pytest.fixture
def cast(made: Cast, db: None) -> Cast:
    """The cast as it was made, everybody signed in anew."""
    cache.clear()
    return dataclasses.replace(made, clients=make_clients(made.people), things=dict(made.things))

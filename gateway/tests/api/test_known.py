"""The snapshot of Django's views: how long one serves, and that a revoked key ends with the stamp."""

from __future__ import annotations

import dataclasses
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from collections_app import stamp
from collections_app.actions.key import do_revoke_key, do_scope_key
from collections_app.actions.person import do_disable_person
from collections_app.stamp import bump_stamp, read_stamp, use_stamp
from gateway.api import known
from gateway.api.known import Known
from gateway.engine.snapshot import Snapshot
from gateway.tests.api.world import Person, keys_required, make_collection, make_key, make_model, make_user
from gateway.tests.engine.stores import Valkey


class Loads:
    """Counts the reads, and gives the stamp and the clock by hand. The stamp is None while Redis is away."""

    def __init__(self) -> None:
        self.count = 0
        self.now = 100.0
        self.stamp: str | None = "1"
        self.during: Callable[[], None] = lambda: None

    def load(self, stamp: str) -> Snapshot:
        self.count += 1
        self.during()
        return Snapshot(stamp=stamp, max_calls=self.count)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loads]:
    one = Loads()
    monkeypatch.setattr(known, "load_snapshot", one.load)
    put_back = use_stamp(lambda: False, lambda: one.stamp)
    yield one
    put_back()


@pytest.mark.parametrize(
    ("before", "after", "seconds", "reads"),
    [
        ("1", "1", 0.0, 1),
        ("1", "1", 15.0, 1),
        ("1", "1", 15.1, 2),
        ("1", "2", 0.0, 2),
        (None, None, 1.0, 1),
        (None, None, 1.1, 2),
        ("1", None, 1.0, 1),
        ("1", None, 1.1, 2),
        (None, "1", 0.0, 2),
    ],
)
def test_a_snapshot_serves_while_its_stamp_stands_and_it_is_young(
    loads: Loads, before: str | None, after: str | None, seconds: float, reads: int
) -> None:
    memory = Known(lambda: loads.now)
    loads.stamp = before
    first = memory.current()
    loads.stamp, loads.now = after, loads.now + seconds
    second = memory.current()
    assert (second is first, loads.count) == (reads == 1, reads)
    assert second.stamp == (before or "" if reads == 1 else after or "")


def test_its_age_counts_from_before_it_was_read(loads: Loads) -> None:
    memory = Known(lambda: loads.now)

    def slowly() -> None:
        loads.now += 20

    loads.during = slowly
    memory.current()
    memory.current()
    assert loads.count == 2


def test_a_write_while_it_is_read_is_seen_next_time(loads: Loads) -> None:
    def write() -> None:
        loads.stamp = "2"

    loads.during = write
    memory = Known(lambda: loads.now)
    assert memory.current().stamp == "1"
    assert memory.current().stamp == "2"


def test_threads_that_come_together_share_one_read(loads: Loads) -> None:
    together = threading.Barrier(8, timeout=10)

    def come(memory: Known) -> Snapshot:
        together.wait()
        return memory.current()

    with ThreadPoolExecutor(8) as pool:
        memory = Known(lambda: loads.now)
        found = list(pool.map(come, [memory] * 8))
    assert loads.count == 1
    assert len({id(one) for one in found}) == 1


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    """The product's Redis, for this test."""
    with tempfile.TemporaryDirectory(prefix="bw-") as folder:  # short: a socket's path has at most 107 characters
        server = Valkey(Path(folder))
        server.start()
        redis = stamp._Redis()  # one that has not found Redis away in another test
        put_back = use_stamp(redis.bump, redis.read)
        with override_settings(BENCH=dataclasses.replace(settings.BENCH, redis_url=server.url)), keys_required():
            yield server
        put_back()
        server.kill()


@pytest.fixture
def alice(db: None) -> Person:
    core = make_collection("core", make_model("alpha"))
    make_collection("other", make_model("beta"))
    return make_key(make_user("alice", "admin"), "laptop", core)


def test_a_key_ends_at_once_when_it_is_revoked_and_until_then_nothing_is_read_again(
    valkey: Valkey, alice: Person, django_assert_num_queries: Any, django_capture_on_commit_callbacks: Any
) -> None:
    assert alice.get("/v1/models").status_code == 200
    with django_assert_num_queries(0):
        assert alice.get("/v1/models").status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        do_scope_key(actor=None, name="laptop", collections=["other"])
    assert alice.get("/v1/models").json()["data"][0]["id"] == "bench/other"
    with django_capture_on_commit_callbacks(execute=True):
        do_revoke_key(actor=None, name="laptop")
    assert alice.get("/v1/models").status_code == 401


def test_the_keys_of_a_person_end_at_once_with_the_person(
    valkey: Valkey, alice: Person, django_capture_on_commit_callbacks: Any
) -> None:
    assert alice.get("/v1/models").status_code == 200
    root = User.objects.create_superuser("root")
    with django_capture_on_commit_callbacks(execute=True):
        do_disable_person(actor=root, username="alice")
    assert alice.get("/v1/models").status_code == 401


def test_a_stamp_is_read_as_the_engine_reads_it_and_not_at_all_while_redis_is_away(valkey: Valkey) -> None:
    assert read_stamp() == "0"
    assert bump_stamp()
    assert bump_stamp()
    assert read_stamp() == "2"
    valkey.kill()
    assert read_stamp() is None
    valkey.start()
    assert read_stamp() is None  # for a second nobody asks again

"""The snapshot between requests: read again when the stamp moves, kept when nothing else can be had."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio
from django.contrib.auth.models import User
from django.db import OperationalError
from django.utils import timezone

from collections_app.models import Collection, Endpoint, Fact, GatewayKey, LanguageModel, Secret, SignIn, Standing
from gateway.canon.fault import FailureClass, NotSent
from gateway.engine.catalogue import Catalogue
from gateway.engine.database import DatabaseThread
from gateway.engine.loading import load_snapshot
from gateway.models import Cooldown
from gateway.tests.engine.written import AT, Rows, make_rows

Result = TypeVar("Result")


class Reader(DatabaseThread):
    """Counts what it runs, and fails while `away`."""

    def __init__(self) -> None:
        super().__init__("test-read")
        self.runs = 0
        self.away = False

    async def run(self, work: Callable[[], Result]) -> Result:
        if self.away:
            raise OperationalError("the database is away")
        self.runs += 1
        return await super().run(work)


@pytest_asyncio.fixture
async def reader() -> AsyncIterator[Reader]:
    one = Reader()
    yield one
    one.away = False
    await one.close()


@pytest.fixture
def rows(sqlite: Path) -> Rows:
    return make_rows()


async def test_a_snapshot_is_kept_while_the_stamp_stands(rows: Rows, reader: Reader) -> None:
    catalogue = Catalogue(reader)
    first = await catalogue.current("1")
    assert await catalogue.current("1") is first
    assert reader.runs == 1
    assert list(first.models) == ["m1", "m2", "m3"]


async def test_a_moved_stamp_brings_a_new_snapshot(rows: Rows, reader: Reader) -> None:
    catalogue = Catalogue(reader)
    first = await catalogue.current("1")
    await reader.run(lambda: Collection.objects.create(name="deep"))
    assert "deep" not in (await catalogue.current("1")).collections
    second = await catalogue.current("2")
    assert (first.stamp, second.stamp) == ("1", "2")
    assert "deep" in second.collections


async def test_many_requests_after_a_move_share_the_read(rows: Rows, reader: Reader) -> None:
    catalogue = Catalogue(reader)
    await catalogue.current("1")
    snapshots = await asyncio.gather(*[catalogue.current("2") for _ in range(50)])
    assert len({id(one) for one in snapshots}) == 1
    assert reader.runs == 2


async def test_without_a_stamp_a_snapshot_lives_for_a_second(rows: Rows, reader: Reader) -> None:
    catalogue = Catalogue(reader)
    first = await catalogue.current(None)
    assert await catalogue.current(None) is first
    await asyncio.sleep(1.05)
    assert await catalogue.current(None) is not first
    assert reader.runs == 2


async def test_with_the_database_away_the_last_snapshot_serves_while_the_stamp_stands(
    rows: Rows, reader: Reader
) -> None:
    catalogue = Catalogue(reader)
    first = await catalogue.current("1")
    reader.away = True
    assert await catalogue.current("1") is first


async def test_with_the_database_away_the_last_snapshot_serves_even_if_it_may_be_old(
    rows: Rows, reader: Reader
) -> None:
    catalogue = Catalogue(reader)
    first = await catalogue.current("1")
    reader.away = True
    await asyncio.sleep(1.05)
    assert [await catalogue.current(stamp) for stamp in (None, "2", "3")] == [first] * 3
    reader.away = False
    await asyncio.sleep(1.05)
    assert await catalogue.current("2") is not first


async def test_without_any_snapshot_an_absent_database_is_an_error(sqlite: Path, reader: Reader) -> None:
    reader.away = True
    with pytest.raises(OperationalError):
        await Catalogue(reader).current("1")


async def test_a_secret_that_cannot_be_opened_stops_only_its_own_endpoint(rows: Rows, reader: Reader) -> None:
    await reader.run(lambda: Secret.objects.create(name="anthill", cipher="sealed with a key that is lost"))
    catalogue = Catalogue(reader)
    snapshot = await catalogue.current("1")
    with pytest.raises(NotSent) as caught:
        catalogue.upstream_of(snapshot.models["m1"])
    assert "anthill" in caught.value.message


async def test_a_secret_reaches_the_headers_and_not_the_snapshot(
    rows: Rows, reader: Reader, little_wire: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "BENCHWARMERS_KEY_ANTHILL", "hunter2")
    catalogue = Catalogue(reader)
    snapshot = await catalogue.current("1")
    assert catalogue.upstream_of(snapshot.models["m1"]).headers["authorization"] == "Bearer hunter2"
    assert "hunter2" not in repr(snapshot)


async def test_a_secret_that_a_header_names_is_sent_and_hidden_and_not_in_the_snapshot(
    rows: Rows, reader: Reader, little_wire: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"X-Title": "bench", "X-Auth-Token": "secret:door"}
    await reader.run(lambda: Endpoint.objects.filter(name="anthill").update(headers=headers))
    catalogue = Catalogue(reader)
    snapshot = await catalogue.current("1")
    with pytest.raises(NotSent, match="names the secret door, which has no value"):
        catalogue.upstream_of(snapshot.models["m1"])
    monkeypatch.setitem(os.environ, "BENCHWARMERS_KEY_DOOR", "open-sesame")
    snapshot = await catalogue.current("2")
    upstream = catalogue.upstream_of(snapshot.models["m1"])
    assert (upstream.headers["x-auth-token"], upstream.headers["x-title"]) == ("open-sesame", "bench")
    assert "open-sesame" in upstream.secrets
    assert "open-sesame" not in repr(snapshot)


def test_a_snapshot_holds_what_a_decision_needs(rows: Rows) -> None:
    first, second, third = rows.models
    Fact.objects.create(language_model=first, field="context_window", value=8_192, source="feed")
    Fact.objects.create(language_model=first, field="vision", value=True, source="operator")
    LanguageModel.objects.filter(pk=second.pk).update(retired_at=AT, retired_why="gone", options={"max_tokens": 5})
    Standing.objects.create(language_model=first, last_work_at=AT, offloads=5, judged=4, useful=2.5)
    Standing.objects.create(language_model=second, last_work_at=None)
    Cooldown.objects.create(language_model=third, until=AT)
    GatewayKey.objects.filter(pk=rows.key.pk).update(scoped=True, rpm=5, expires_at=AT)
    rows.key.collections.add(rows.core)
    GatewayKey.objects.create(owner=rows.alice, name="old", digest="e" * 64, revoked_at=timezone.now())
    bob = User.objects.create_user("bob", is_active=False)
    GatewayKey.objects.create(owner=bob, name="bobs", digest="f" * 64)
    snapshot = load_snapshot("9")
    m1, m2, m3 = snapshot.models.values()
    assert (m1.context_window, m1.vision, m1.sources["vision"], m1.tools) == (8_192, True, "operator", None)
    assert (m2.retired_on, m2.retired_why, bytes(m2.options["max_tokens"])) == ("2026-11-29", "gone", b"5")
    assert (m3.served, m3.connection, m3.family) == ("lab/m3", "anthill", "m3")
    assert snapshot.collections["core"].members == ("m1", "m2", "m3")
    assert snapshot.last_work == {"m1": AT.timestamp()}
    assert (snapshot.useful, snapshot.not_useful) == ({"m1": 2.5}, {"m1": 1.5})
    assert snapshot.cooling == {"m3": AT.timestamp()}
    (key,) = snapshot.keys.values()
    assert (key.name, key.scope, key.rpm, key.expires_at) == ("ci", frozenset({"core"}), 5, AT.timestamp())
    assert (snapshot.stamp, snapshot.max_calls, snapshot.max_explorers) == ("9", 5, 2)


def test_a_scope_whose_collections_are_gone_opens_nothing(rows: Rows) -> None:
    GatewayKey.objects.filter(pk=rows.key.pk).update(scoped=True)
    (key,) = load_snapshot().keys.values()
    assert key.scope == frozenset()


async def test_calls_by_a_sign_in_that_has_ended_say_what_to_do(rows: Rows, reader: Reader) -> None:
    def end(endpoint: Endpoint) -> None:
        SignIn.objects.create(endpoint=endpoint, provider="one", at=AT, expires_at=AT)

    catalogue = Catalogue(reader)
    model = (await catalogue.current("1")).models["m1"]
    catalogue.upstream_of(model)
    await reader.run(lambda: end(Endpoint.objects.get(name=model.endpoint.name)))
    model = (await catalogue.current("2")).models["m1"]
    with pytest.raises(NotSent, match="sign in again on the Endpoints page") as refused:
        catalogue.upstream_of(model)
    assert refused.value.failure is FailureClass.SIGNIN

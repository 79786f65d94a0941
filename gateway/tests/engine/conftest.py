"""A database in a file, a Valkey, and a bench that talks to a provider on the loopback."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
import pytest_asyncio
from msgspec import Struct
from pytest_django.plugin import DjangoDbBlocker

from collections_app.models import Collection
from gateway.engine.bench import Bench
from gateway.engine.database import DatabaseThread
from gateway.tests.engine import stores
from gateway.tests.engine.calling import Setting
from gateway.tests.engine.rooms import Room
from gateway.tests.engine.upstream import Line, LittleWire, Request, Script, upstream
from gateway.tests.engine.written import Rows, make_rows
from gateway.wire.registry import CLIENTS

Result = TypeVar("Result")
Query = Callable[[Callable[[], Result]], Awaitable[Result]]


class Limits(Struct):
    """Settings of a bench for tests. No Redis answers at this address."""

    home: Path
    redis_url: str = "unix:///nowhere/valkey.sock"
    seat_s: float = 5.0
    route_first_piece_s: float = 1.0
    route_turn_s: float = 5.0
    route_grace_s: float = 0.5
    allow_private: bool = False


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A migrated database, to be copied."""
    path = tmp_path_factory.mktemp("template") / "bench.sqlite3"
    with django_db_blocker.unblock(), stores.redirected(NAME=path):
        stores.migrate()
    return path


@pytest.fixture
def sqlite(migrated: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """A database of this test's own, as it is in production: a file, write-ahead log, many connections."""
    path = tmp_path / "bench.sqlite3"
    shutil.copy(migrated, path)
    with django_db_blocker.unblock(), stores.redirected(NAME=path):
        yield path


@pytest_asyncio.fixture
async def query() -> AsyncIterator[Query[Any]]:
    """Runs a query in a thread of its own."""
    thread = DatabaseThread("test")
    yield thread.run
    await thread.close()


@pytest_asyncio.fixture
async def writer() -> AsyncIterator[DatabaseThread]:
    thread = DatabaseThread("test-write")
    yield thread
    await thread.close()


@pytest.fixture
def valkey() -> Iterator[stores.Valkey]:
    with tempfile.TemporaryDirectory(prefix="bw-") as folder:  # short: a socket's path has at most 107 characters
        server = stores.Valkey(Path(folder))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def little_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endpoints of chat completions speak the little wire of these tests."""
    monkeypatch.setitem(CLIENTS, "openai_chat", LittleWire())


@pytest_asyncio.fixture
async def bench(sqlite: Path, tmp_path: Path, little_wire: None) -> AsyncIterator[Bench]:
    """A bench without Redis, over an empty catalogue."""

    async def announce(topics: list[str]) -> None:
        return None

    bench = await Bench.open(Limits(tmp_path), announce)
    yield bench
    await bench.close()


@pytest_asyncio.fixture
async def setting(bench: Bench, query: Query[Any]) -> AsyncIterator[Callable[..., Awaitable[Setting]]]:
    opened: list[Any] = []

    async def make(*scripts: Script) -> Setting:
        one = upstream(*scripts)
        opened.append(one)
        provider = await one.__aenter__()
        rows: Rows = await query(lambda: make_rows(provider.base, models=1))
        return Setting(bench, query, provider, rows)

    yield make
    for one in opened:
        await one.__aexit__(None, None, None)


@pytest_asyncio.fixture
async def room(bench: Bench, query: Query[Any]) -> AsyncIterator[Callable[..., Awaitable[Room]]]:
    opened: list[Any] = []

    async def make(*scripts: Script, **facts: Any) -> Room:
        async def by_model(line: Line, request: Request) -> None:
            served = msgspec.json.decode(request.body)["model"]
            await scripts[int(served[-1]) - 1](line, request)

        opened.append(upstream(by_model))
        provider = await opened[-1].__aenter__()

        def rows() -> Rows:
            made = make_rows(provider.base, models=len(scripts))
            Collection.objects.filter(name="core").update(**facts)
            return made

        made = await query(rows)
        await asyncio.sleep(0)
        bench.catalogue._read_at = 0.0  # what was read at start is stale: without Redis nobody says so
        return Room(bench, query, provider, made)

    yield make
    for one in opened:
        await one.__aexit__(None, None, None)

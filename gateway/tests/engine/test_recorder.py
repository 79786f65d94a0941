"""Records on their way to the database: in groups, in order, and never lost in silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError

from collections_app.models import Collection, Evidence, LanguageModel
from gateway.canon.event import Usage
from gateway.engine.database import DatabaseThread
from gateway.engine.recorder import Recorder, Tell
from gateway.engine.records import KeyUsed, Record, Rest
from gateway.models import Call, Cooldown, Panel, Seat
from gateway.tests.engine.written import AT, Rows, call, done, make_rows, opened, whole_panel, work

Result = TypeVar("Result")


class Counting(DatabaseThread):
    """Counts the groups it writes; the first fail with these errors, and each takes `pause` seconds longer."""

    def __init__(self, *errors: BaseException, pause: float = 0.0) -> None:
        super().__init__("test-counting")
        self.errors = list(errors)
        self.pause = pause
        self.groups = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        await asyncio.sleep(self.pause)
        if self.errors:
            raise self.errors.pop(0)
        self.groups += 1
        return await super().run(work)


async def deaf(panels: set[str]) -> None:
    return None


@asynccontextmanager
async def recorder(folder: Path, thread: DatabaseThread, tell: Tell = deaf) -> AsyncIterator[Recorder]:
    one = Recorder(thread, folder / "unwritten.jsonl", tell)
    yield one
    await one.close()


def spilled(folder: Path) -> list[dict[str, Any]]:
    path = folder / "unwritten.jsonl"
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()] if path.exists() else []


@pytest.fixture
def rows(sqlite: Path) -> Rows:
    return make_rows()


Query = Callable[[Callable[[], Any]], Awaitable[Any]]


async def test_what_is_settled_is_in_the_database(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    async with recorder(tmp_path, writer) as one:
        one.put(*whole_panel(rows))
        await one.settle()
        assert await query(Panel.objects.count) == 1
        assert await query(Seat.objects.filter(status="ok").count) == 3
        one.put(call(rows))
        await one.settle()
        assert await query(Call.objects.count) == 4


async def test_with_nothing_put_there_is_nothing_to_settle(sqlite: Path, tmp_path: Path) -> None:
    async with recorder(tmp_path, Counting()) as one, asyncio.timeout(0.1):
        await one.settle()


async def test_settling_waits_for_what_was_put_before_and_not_for_what_comes_after(rows: Rows, tmp_path: Path) -> None:
    thread = Counting(pause=0.15)
    async with recorder(tmp_path, thread) as one:
        one.put(call(rows))
        await asyncio.sleep(0.05)
        one.put(call(rows))
        settled = asyncio.create_task(one.settle())
        await asyncio.sleep(0.15)
        one.put(call(rows))
        await settled
        assert thread.groups == 2


async def test_settling_gives_up_on_a_slow_database_but_the_record_is_written(
    rows: Rows, tmp_path: Path, query: Query
) -> None:
    loop = asyncio.get_running_loop()
    async with recorder(tmp_path, Counting(pause=2.3)) as one:
        one.put(call(rows))
        began = loop.time()
        await one.settle()
        assert 1.9 < loop.time() - began < 2.25
    assert await query(Call.objects.count) == 1


async def test_closing_writes_everything(rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread) -> None:
    one = Recorder(writer, tmp_path / "unwritten.jsonl", deaf)
    one.put(*[call(rows) for _ in range(4_500)])
    await one.close()
    assert await query(Call.objects.count) == 4_500
    assert spilled(tmp_path) == []


async def test_closing_with_nothing_to_write_ends(sqlite: Path, tmp_path: Path, writer: DatabaseThread) -> None:
    async with asyncio.timeout(1), recorder(tmp_path, writer):
        pass


async def test_a_thousand_records_take_a_handful_of_transactions(rows: Rows, tmp_path: Path, query: Query) -> None:
    thread = Counting()
    async with recorder(tmp_path, thread) as one:
        for panel in range(100):
            for record in whole_panel(rows, f"p{panel}"):
                one.put(record)
            await asyncio.sleep(0)
        await one.settle()
    assert thread.groups <= 10
    assert await query(Panel.objects.filter(state="done").count) == 100


@pytest.mark.parametrize("error", [OperationalError("database is locked"), InterfaceError("connection already closed")])
async def test_an_absent_database_is_tried_again(
    error: DatabaseError, rows: Rows, tmp_path: Path, query: Query, caplog: pytest.LogCaptureFixture
) -> None:
    async with recorder(tmp_path, Counting(error, error)) as one:
        one.put(*whole_panel(rows))
        await one.settle()
        assert await query(Panel.objects.filter(state="done").count) == 1
    assert spilled(tmp_path) == []
    assert "trying again" in caplog.text


async def test_an_absent_database_on_closing_ends_in_the_spill(rows: Rows, tmp_path: Path) -> None:
    gone = OperationalError("gone")
    one = Recorder(Counting(*[gone] * 50), tmp_path / "unwritten.jsonl", deaf)
    one.put(call(rows), done(rows))
    await one.close()
    assert [list(line) for line in spilled(tmp_path)] == [["CallMade"], ["SeatRow"]]


async def test_a_deleted_collection_costs_only_the_reference_to_it(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    await query(Collection.objects.all().delete)
    async with recorder(tmp_path, writer) as one:
        one.put(*whole_panel(rows))
        await one.settle()
    panel = await query(Panel.objects.get)
    assert (panel.collection_id, panel.collection_name, panel.state) == (None, "core", "done")
    assert await query(Seat.objects.filter(status="ok").count) == 3
    assert await query(Evidence.objects.filter(collection=None, collection_name="core").count) == 3
    assert await query(Call.objects.count) == 3
    assert spilled(tmp_path) == []


async def test_a_panel_stays_its_owners_when_its_collection_goes(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    await query(Collection.objects.all().delete)
    async with recorder(tmp_path, writer) as one:
        one.put(opened(rows))
        await one.settle()
    panel = await query(Panel.objects.get)
    assert (panel.owner_id, panel.key_id) == (rows.alice.pk, rows.key.pk)
    assert await query(Seat.objects.filter(language_model__isnull=False).count) == 3


async def test_a_model_deleted_in_mid_panel_loses_no_answer(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    await query(LanguageModel.objects.filter(alias="m2").delete)
    async with recorder(tmp_path, writer) as one:
        one.put(*whole_panel(rows))
        await one.settle()
    panel = await query(Panel.objects.get)
    assert (panel.owner_id, panel.state) == (rows.alice.pk, "done")
    answers = await query(lambda: list(Seat.objects.values_list("alias", "answer", "language_model__alias")))
    assert answers == [("m1", "Blue.", "m1"), ("m2", "Blue.", None), ("m3", "Blue.", "m3")]
    assert await query(lambda: list(Evidence.objects.order_by("call").values_list("call", flat=True))) == [
        "p1.member1",
        "p1.member3",
    ]
    assert await query(lambda: list(Call.objects.order_by("seat").values_list("language_model__alias", flat=True))) == [
        "m1",
        None,
        "m3",
    ]


async def test_a_rest_or_a_use_of_what_is_gone_stops_nothing(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    rest = Rest(999_999, AT, AT + timedelta(hours=1), stated=True, why="429")
    async with recorder(tmp_path, writer) as one:
        one.put(KeyUsed(999_999, AT), rest, work(rows, language_model_id=999_999), call(rows))
        await one.settle()
    assert await query(Call.objects.count) == 1
    assert await query(Cooldown.objects.count) == 0


async def test_a_seat_of_a_deleted_panel_is_kept_in_the_file(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread, caplog: pytest.LogCaptureFixture
) -> None:
    async with recorder(tmp_path, writer) as one:
        one.put(done(rows, panel="never"), call(rows))
        await one.settle()
    (line,) = spilled(tmp_path)
    assert line["SeatRow"]["answer"] == "Blue."
    assert await query(Call.objects.count) == 1
    assert "could not be written" in caplog.text


UNHEARD_OF: list[Callable[[Rows], Record]] = [
    lambda rows: call(rows, usage=Usage(input=2**70)),
    lambda rows: call(rows, alias="lone \ud800 surrogate"),
    lambda rows: call(rows, alias=b"\xff" * 3 and {"not": "text"}),
    lambda rows: call(rows, usage=Usage(output=-5)),
]


@pytest.mark.parametrize("make", UNHEARD_OF, ids=["too large", "not unicode", "not text", "negative"])
async def test_a_value_no_database_takes_does_not_stop_the_records_after_it(
    make: Callable[[Rows], Record], rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    async with asyncio.timeout(5), recorder(tmp_path, writer) as one:
        one.put(make(rows))
        await asyncio.sleep(0.05)
        one.put(call(rows, seat="after"))
        await one.settle()
        assert await query(Call.objects.filter(seat="after").count) == 1


async def test_an_error_nobody_thought_of_does_not_stop_the_writer(rows: Rows, tmp_path: Path, query: Query) -> None:
    async with asyncio.timeout(5), recorder(tmp_path, Counting(ProgrammingError("no such column"))) as one:
        one.put(call(rows, seat="first"))
        await asyncio.sleep(0.05)
        one.put(call(rows, seat="second"))
        await one.settle()
        assert await query(Call.objects.filter(seat="second").count) == 1


async def test_news_is_told_of_each_panel_and_not_too_often(rows: Rows, tmp_path: Path) -> None:
    told: list[set[str]] = []

    async def tell(topics: set[str]) -> None:
        told.append(topics)

    async with recorder(tmp_path, Counting(), tell) as one:
        for n in range(10):
            one.put(opened(rows, f"p{n}"))
            await one.settle()
        await asyncio.sleep(0.25)
        assert 2 <= len(told) <= 3
        assert set().union(*told) == {f"panel:p{n}" for n in range(10)}


async def test_a_listener_that_fails_once_is_told_again(rows: Rows, tmp_path: Path) -> None:
    told: list[set[str]] = []

    async def tell(topics: set[str]) -> None:
        told.append(topics)
        if len(told) == 1:
            raise ConnectionError("the channel layer is away")

    async with recorder(tmp_path, Counting(), tell) as one:
        one.put(opened(rows, "p1"))
        await one.settle()
        await asyncio.sleep(0.3)
        one.put(opened(rows, "p2"))
        await one.settle()
        await asyncio.sleep(0.3)
    assert told[-1] == {"panel:p2"}

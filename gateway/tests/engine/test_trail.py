"""What a process had under way when it died is taken up by the next, once, and a living one is left alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.db import OperationalError

from collections_app.models import Evidence, Standing
from gateway.engine import trail_left
from gateway.engine.batch import write_records
from gateway.engine.database import DatabaseThread
from gateway.engine.recorder import Recorder
from gateway.engine.records import CallBegun, Rest, SeatRow, TurnMade
from gateway.engine.recovery import close_lost_panels
from gateway.engine.trail import SIZE, Trail
from gateway.engine.trail_left import INTERRUPTED, take_up
from gateway.engine.trail_lines import begun_alone, line_of, read_lines
from gateway.models import Call, Panel, Seat, Turn
from gateway.tests.engine.written import AT, Rows, call, done, make_rows, opened, seat, whole_panel

Result = TypeVar("Result")
Query = Callable[[Callable[[], Any]], Awaitable[Any]]


@pytest.fixture
def rows(sqlite: Path) -> Rows:
    return make_rows()


@pytest.fixture
def trails(tmp_path: Path) -> Path:
    return tmp_path / "trail"


def begun(rows: Rows, **facts: Any) -> CallBegun:
    made = call(rows, **facts)
    return CallBegun(**{name: getattr(made, name) for name in CallBegun.__struct_fields__})


def turn(rows: Rows, number: int = 2, **facts: Any) -> TurnMade:
    given: dict[str, Any] = {name: "" for name in ("call", "alias", "caller", "protocol", "task", "finish", "error")}
    given |= {"conversation_id": "r1", "at": AT, "done_at": AT, "turn": number, "language_model_id": None}
    given |= {"owner_id": None, "key_id": None, "collection_id": rows.core.pk, "collection_name": "core"}
    given |= {"status": "ok", "seconds": 1.0, "first_token_s": None, "tool_calls": (), "usage": None, "tried": []}
    return TurnMade(**(given | facts))


def die(trail: Trail) -> None:
    """As the system does: the lock goes, the file stays."""
    assert trail._page is not None
    trail._page.close()
    os.close(trail._file)


def left_in(folder: Path) -> list[Any]:
    return [record for path in sorted(folder.glob("*.trail")) for record in read_lines(path.read_bytes())]


def test_every_record_that_must_last_is_read_as_it_was_written(rows: Rows) -> None:
    records = [*whole_panel(rows), turn(rows), begun(rows), call(rows, notes=("a\nline\0",), request="r-1")]
    data = b"".join(line_of(record) + b"\n" for record in records)
    assert b"\0" not in data
    assert list(read_lines(data + b"\0" * 9)) == records
    assert list(read_lines(data + b'CallMade {"at":"20')) == records
    assert list(read_lines(b"Later {}\n" + data)) == records


def test_half_a_character_is_replaced_and_the_rest_kept(rows: Rows) -> None:
    (read,) = read_lines(line_of(done(rows, answer="Bl\ud83due")))
    assert isinstance(read, SeatRow)
    assert read.answer == "Bl?ue"


def test_a_call_is_alone_until_its_end_stands_there_and_counts_as_last_attempted(rows: Rows) -> None:
    first, again = begun(rows, request="a", attempts=1), begun(rows, request="a", attempts=2)
    other = begun(rows, request="b")
    assert list(begun_alone([first, other, again, call(rows, request="b")])) == [again]


def test_what_is_not_needed_any_more_goes_when_the_file_is_full_and_the_rest_stays(tmp_path: Path) -> None:
    trail = Trail(tmp_path)
    first = trail.note(b"Work first")
    trail.note(b"Work second", 5)
    trail.note(b"Work third", 7)
    trail.written = 5
    for _ in range(3 * SIZE // 1_000):
        trail.until(trail.note(b"x" * 999), 0)
    (file,) = tmp_path.iterdir()
    kept = [line for line in file.read_bytes().split(b"\n") if line.startswith(b"Work")]
    assert kept == [b"Work first", b"Work third"]
    assert file.stat().st_size == SIZE
    trail.until(first, 0)
    trail.note(b"y" * 2 * SIZE)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size > 2 * SIZE
    assert b"first" not in file.read_bytes()
    trail.close()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_costs_new_lines_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    trail = Trail(tmp_path / "one")
    first = trail.note(b"Work first")
    with monkeypatch.context() as context:
        context.setattr(os, "posix_fallocate", full)
        assert trail.note(b"x" * SIZE) == 0
        assert trail.note(b"x" * SIZE) == 0
        other = Trail(tmp_path / "two")
        assert other.note(b"x") == 0
        other.close()
    assert trail.note(b"Work last " + b"x" * SIZE) > first
    (file,) = (tmp_path / "one").iterdir()
    assert file.read_bytes().startswith(b"Work first\nWork last")
    trail.close()
    assert [list((tmp_path / name).iterdir()) for name in ("one", "two")] == [[], []]


def test_a_dead_process_s_records_and_calls_are_written_once(rows: Rows, trails: Path) -> None:
    trail = Trail(trails)
    for record in (*whole_panel(rows), turn(rows)):
        trail.note(line_of(record))
    trail.note(line_of(begun(rows, request="cut", attempts=2)))
    assert take_up(trails) == 0  # it lives
    die(trail)
    assert take_up(trails) == len(whole_panel(rows)) + 2
    assert (Panel.objects.get().state, Seat.objects.filter(status="ok").count()) == ("done", 3)
    assert Turn.objects.get().number == 2
    cut = Call.objects.get(request="cut")
    assert (cut.status, cut.attempts, cut.tokens_in, cut.cost, cut.notes) == ("cancelled", 2, None, None, [INTERRUPTED])
    assert list(trails.iterdir()) == []
    assert take_up(trails) == 0


def test_what_is_in_the_database_already_is_left_as_it_is(rows: Rows, trails: Path) -> None:
    records = [*whole_panel(rows), turn(rows)]
    trail = Trail(trails)
    for record in records:
        trail.note(line_of(record))
    trail.note(line_of(begun(rows)))  # its end is among them
    die(trail)
    write_records(records)  # committed, and then it died
    before = [model.objects.count() for model in (Call, Turn, Seat, Evidence)]
    assert take_up(trails) == 0
    assert [model.objects.count() for model in (Call, Turn, Seat, Evidence)] == before
    assert set(Standing.objects.values_list("offloads", flat=True)) == {1}


def test_a_seat_that_is_done_is_not_set_back_and_one_that_was_given_up_is_mended(rows: Rows, trails: Path) -> None:
    asked, answered = seat(rows, 1), done(rows, 1, answer="Blue.")
    write_records([opened(rows, process="here/999999999"), answered])
    trail = Trail(trails)
    for record in (asked, asked, done(rows, 2, answer="Green.")):
        trail.note(line_of(record))
    die(trail)
    assert close_lost_panels("here/77", AT) == 1  # before anybody had read the trail
    assert take_up(trails) == 1
    assert list(Seat.objects.order_by("place").values_list("status", "answer")) == [
        ("ok", "Blue."),
        ("ok", "Green."),
        ("error", ""),
    ]


def test_while_the_database_is_away_it_is_left_for_the_next_time(
    rows: Rows, trails: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trail = Trail(trails)
    trail.note(line_of(begun(rows, request="cut")))
    die(trail)

    def away(records: object) -> None:
        raise OperationalError

    with monkeypatch.context() as context:
        context.setattr(trail_left, "write_records", away)
        with pytest.raises(OperationalError):
            take_up(trails)
    assert take_up(trails) == 1


def test_a_record_of_something_that_is_gone_is_written_without_it(rows: Rows, trails: Path) -> None:
    trail = Trail(trails)
    trail.note(line_of(begun(rows, request="cut", owner_id=999_999)))
    trail.note(line_of(begun(rows, request="whole")))
    die(trail)
    assert take_up(trails) == 2
    assert Call.objects.get(request="cut").owner is None
    assert Call.objects.get(request="whole").owner == rows.alice


class Away(DatabaseThread):
    """A database that is away until it is `back`."""

    back = False

    async def run(self, work: Callable[[], Result]) -> Result:
        if not self.back:
            raise OperationalError
        return await super().run(work)


@pytest.fixture
def thread() -> Away:
    return Away("test-away")


async def deaf(topics: set[str]) -> None:
    return None


async def test_an_answer_that_is_secured_outlives_its_process_and_a_database_that_is_away(
    rows: Rows, tmp_path: Path, thread: Away
) -> None:
    trail = Trail(tmp_path / "trail")
    recorder = Recorder(thread, tmp_path / "unwritten.jsonl", deaf, trail=trail)
    number = recorder.begin(begun(rows, request="a"))
    recorder.put(call(rows, request="a"), turn(rows), Rest(rows.models[0].pk, AT, AT, stated=True, why="429"))
    recorder.end(number)
    recorder.secure()
    recorder.secure()
    assert [type(record).__name__ for record in left_in(tmp_path / "trail")] == ["CallBegun", "CallMade", "TurnMade"]
    recorder.put(turn(rows, 3))
    recorder.secure()
    assert [record.turn for record in left_in(tmp_path / "trail") if isinstance(record, TurnMade)] == [2, 3]
    thread.back = True
    await recorder.close()
    assert list((tmp_path / "trail").iterdir()) == []
    await thread.close()


async def test_a_call_in_the_middle_is_in_the_trail_and_gone_from_it_when_its_row_is_there(
    rows: Rows, tmp_path: Path, query: Query, writer: DatabaseThread
) -> None:
    trail = Trail(tmp_path / "trail")
    recorder = Recorder(writer, tmp_path / "unwritten.jsonl", deaf, trail=trail)
    number = recorder.begin(begun(rows, request="a"))
    number = recorder.begin(begun(rows, request="a", attempts=2), number)
    (alone,) = begun_alone(left_in(tmp_path / "trail"))
    assert alone.attempts == 2
    recorder.put(call(rows, request="a"))
    recorder.end(number)
    await recorder.settle()
    assert all(needed <= trail.written for needed, _, _ in trail._live.values())
    assert await query(Call.objects.count) == 1
    await recorder.close()

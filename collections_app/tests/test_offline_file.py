"""Files of offline work: what is read, and what is told about what cannot be."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from collections_app.offline_file import Row, Unreadable, as_moment, read_offline

HEADER = "model,date,task,useful,note,real,false,judge\n"
CSV = HEADER + (
    'fast,2026-11-20,"Review, the\n cache",yes,"  found  it ","It leaks | It is slow",'
    '"Never | ever\nIt is slow, too",alice\n'
    "slow,2026-11-20T10:15:00+02:00,Plan,,,,,\n"
)


def problems(**cells: Any) -> str:
    given = {"model": "fast", "date": "2026-11-20", "task": "Review", **cells}
    return " ".join(read_offline(json.dumps([given]))[0].problems)


def test_csv_is_read_in_normal_form() -> None:
    first, second = read_offline(CSV)
    assert first == Row(
        line=4,
        model="fast",
        on=date(2026, 11, 20),
        task="Review, the cache",
        useful=True,
        note="found it",
        real=("It leaks", "It is slow"),
        false=("Never", "ever", "It is slow, too"),
        judge="alice",
        problems=(),
    )
    assert (second.line, second.useful, second.real, second.judge) == (5, None, (), "")
    assert second.on == datetime(2026, 11, 20, 10, 15, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_other_delimiters_and_the_marks_of_spreadsheets_are_read(mark: str) -> None:
    text = f"\ufeffModel{mark} Date{mark}task\r\nfast{mark}2026-11-20{mark}Review\r\n"
    assert [(row.model, row.task, row.problems) for row in read_offline(text)] == [("fast", "Review", ())]


def test_json_is_a_list_or_one_object_a_line() -> None:
    one = {"model": "fast", "date": "2026-11-20", "task": "Review", "useful": False, "false": ["It leaks"]}
    for text in (json.dumps([one, one]), f"{json.dumps(one)}\n\n{json.dumps(one)}\n", json.dumps([one, one], indent=2)):
        rows = read_offline(text)
        assert [(row.model, row.useful, row.false, row.problems) for row in rows] == [
            ("fast", False, ("It leaks",), ())
        ] * 2


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({}, ""),
        ({"useful": "Not useful", "note": "why"}, ""),
        ({"useful": "maybe"}, "useful is yes, no or empty"),
        ({"useful": 0.5}, "useful is yes, no or empty"),
        ({"model": ""}, "model is empty"),
        ({"model": 5}, "model is text"),
        ({"task": " "}, "task is empty"),
        ({"date": "20.11.2026"}, "“20.11.2026” is not a date"),
        ({"date": "2026-02-30"}, "is not a date"),
        ({"date": ""}, "is not a date"),
        ({"date": 20261120}, "date is text"),
        ({"note": "n"}, "need useful to be yes or no"),
        ({"real": ["a b"]}, "need useful to be yes or no"),
        ({"useful": True, "real": [1]}, "real is a list of sentences"),
        ({"useful": True, "real": ["it leaks"], "false": "it  leaks"}, "cannot both hold and be false"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(cells: dict[str, Any], words: str) -> None:
    told = problems(**cells)
    assert words in told
    assert bool(told) is bool(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column|missing|no rows"),
        (HEADER, "no rows"),
        ("[]", "no rows"),
        ("model,date\nfast,2026-11-20\n", "“task” is missing"),
        ("model,date,task,colour\n", "“colour” is not one of the columns"),
        ("model,date,task,model\nx,y,z,x\n", "twice"),
        (HEADER + "a,b,c,d,e,f,g,h,i\n", "more cells"),
        (HEADER + 'fast,"2026\n', "is not CSV"),
        ("[1]", "Entry 1 is not an object"),
        ('[{"colour": 1}]', "“colour” is not one of the columns"),
        ('{"model": ', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (HEADER + "a,b,c,,,,,\n" * 5_001, "at most 5,000"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_to_change(text: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        read_offline(text)


def test_a_long_task_is_cut_and_a_day_begins_in_the_time_zone() -> None:
    (row,) = read_offline(json.dumps([{"model": "m", "date": "2026-11-20", "task": "t" * 300, "useful": None}]))
    assert len(row.task) == 90
    assert row.on is not None
    assert as_moment(row.on, UTC) == datetime(2026, 11, 20, tzinfo=UTC)
    assert as_moment(datetime(2026, 11, 20, 8), UTC) == datetime(2026, 11, 20, 8, tzinfo=UTC)

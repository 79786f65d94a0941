"""Usage as a file: which rows, in which words, harmless in a spreadsheet, never all of it in memory, and written down
where it is somebody else's.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import AsyncClient, Client

from benchwarmers.dashboard import usage_export
from benchwarmers.dashboard.files import harmless
from benchwarmers.dashboard.usage_export import LEDGER_COLUMNS, dollars, narrow_calls, stream_calls
from benchwarmers.dashboard.usage_filters import UsageFilters
from benchwarmers.tests.dashboard.usage_world import DAY, add_key, add_usage, person
from gateway.models import Call, Reading

As = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
DAYS = "period=custom&from=2026-11-28&to=2026-11-29"


def add_call(owner: str = "ben", **facts: Any) -> Call:
    given: dict[str, Any] = {
        "at": NOON,
        "owner": person(owner) if owner else None,
        "alias": "osprey",
        "endpoint_name": "harbour",
        "connection": "harbour",
        "served": "lab/osprey",
        "caller": owner or "local",
        "collection_name": "core",
        "status": "ok",
        "request": "r1",
        "requests": 1,
        "attempts": 1,
        "tokens_in": 7,
        "cost": 12_345,
        "seconds": 1.5,
    }
    return Call.objects.create(**(given | facts))


async def stream(name: str, query: str) -> list[bytes]:
    from asgiref.sync import sync_to_async

    reader = await sync_to_async(person)(name)
    found = await sync_to_async(narrow_calls)(reader, UsageFilters.read(QueryDict(query), DAY))
    form = "jsonl" if "jsonl" in query else "csv"
    return [piece async for piece in stream_calls(found, form)]


def exported(name: str, query: str = DAYS) -> list[dict[str, Any]]:
    from asgiref.sync import async_to_sync

    text = b"".join(async_to_sync(stream)(name, query)).decode()
    if "jsonl" in query:
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text)))


def test_every_call_of_the_days_is_a_row_with_its_time_and_its_cost_in_dollars() -> None:
    key = add_key("ben", "reviews", "reviewers")
    add_call(key=key, team=key.team, reasoning=3, swapped=True)
    add_call(at=NOON - timedelta(hours=37))
    (row,) = exported("ben")
    assert tuple(row) == LEDGER_COLUMNS
    told = {"at": "2026-11-29T12:00:00+00:00", "person": "ben", "key": "reviews", "team": "reviewers"}
    told |= {"cost_usd": "0.000012345", "tokens_in": "7", "tokens_out": "", "reasoning": "3", "swapped": "true"}
    assert {name: row[name] for name in told} == told
    (row,) = exported("ben", DAYS + "&format=jsonl")
    assert [row["at"], row["cost_usd"], row["tokens_out"], row["swapped"]] == [told["at"], "0.000012345", None, True]


def test_an_export_is_narrowed_as_the_page_is_and_holds_what_its_reader_may_see() -> None:
    add_call(alias="wren")
    add_call(owner="maya")
    add_call(owner="", purpose="route")
    assert [row["person"] for row in exported("ben")] == ["ben"]
    assert [row["person"] for row in exported("boss")] == ["ben", "maya", ""]
    assert [row["model"] for row in exported("boss", f"{DAYS}&model=wren")] == ["wren"]
    assert [row["caller"] for row in exported("boss", f"{DAYS}&person=-")] == ["local"]
    assert [row["person"] for row in exported("boss", f"{DAYS}&person={person('maya').pk}")] == ["maya"]
    assert [row["caller"] for row in exported("boss", f"{DAYS}&purpose=route")] == ["local"]
    assert len(exported("boss", f"{DAYS}&purpose=-")) == 2


def test_the_ledger_goes_out_in_pieces_in_the_order_of_time_and_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from asgiref.sync import async_to_sync

    monkeypatch.setattr(usage_export, "PIECE", 4)
    for number in range(30):
        add_call(at=NOON - timedelta(minutes=number // 7), request=f"r{number}")
    pieces = async_to_sync(stream)("ben", f"{DAYS}&format=jsonl")
    rows = [json.loads(line) for line in b"".join(pieces).splitlines()]
    assert max(piece.count(b"\n") for piece in pieces) == 4
    assert len({row["request"] for row in rows}) == len(rows) == 30
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+49", "'+49"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("a=1", "a=1"),
        ("", ""),
        (None, ""),
        (True, "true"),
        (-3, -3),
    ],
)
def test_no_cell_is_a_formula(cell: Any, written: Any) -> None:
    assert harmless(cell) == written


def test_costs_keep_every_digit() -> None:
    assert [dollars(nano) for nano in (None, 0, 1, 12_000_000_000)] == [
        None,
        "0.000000000",
        "0.000000001",
        "12.000000000",
    ]


def test_the_table_is_a_file_too(as_person: As) -> None:
    add_usage("ben", alias="=osprey")
    add_usage("ben", alias="wren", cost=5)
    answer = as_person("ben").get(f"/usage/table?{DAYS}&sort=name")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="usage-by-model-2026-11-28-to-2026-11-29.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["name"], row["calls"], row["cost_usd"]) for row in rows] == [
        ("'=osprey", "3", "1.000000000"),
        ("wren", "3", "0.000000005"),
    ]
    lines = as_person("ben").get(f"/usage/table?{DAYS}&sort=name&format=jsonl").content.splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["=osprey", "wren"]


def test_another_format_is_not_there(as_person: As) -> None:
    for path in ("table", "export"):
        assert as_person("ben").get(f"/usage/{path}?format=xlsx").status_code == 404


def test_whoever_takes_the_usage_of_others_is_written_down(as_person: As) -> None:
    add_usage("ben")
    add_usage()
    for name in ("ben", "zoe"):
        as_person(name).get(f"/usage/table?{DAYS}")
    as_person("maya").get(f"/usage/table?{DAYS}&model=unheard-of")
    assert not Reading.objects.exists()
    as_person("maya").get(f"/usage/table?{DAYS}")
    reading = Reading.objects.get()
    assert (reading.reader_name, reading.thing, reading.owner_name) == ("maya", "export", "ben")
    assert (reading.name, reading.address) == ("usage by model 2026-11-28 to 2026-11-29", "127.0.0.1")


def test_many_whose_usage_was_taken_are_named_in_short(as_person: As) -> None:
    from django.contrib.auth.models import User

    for number in range(8):
        User.objects.create_user(f"p{number}")
        add_usage(f"p{number}")
    add_usage(owner_id=4711)
    as_person("maya").get(f"/usage/table?{DAYS}")
    assert Reading.objects.get().owner_name == "p0, p1, p2, p3, p4 and 3 more"


def test_the_export_is_streamed_by_the_server() -> None:
    add_call()
    add_usage("ben")

    async def fetch() -> tuple[Any, bytes]:
        client = AsyncClient()
        await client.aforce_login(await User.objects.aget(username="maya"))
        answer: Any = await client.get(f"/usage/export?{DAYS}&format=jsonl")
        return answer, b"".join([piece async for piece in answer.streaming_content])

    answer, lines = async_to_sync(fetch)()
    assert (answer.status_code, answer.is_async) == (200, True)
    assert answer["Content-Type"] == "application/x-ndjson"
    assert json.loads(lines)["person"] == "ben"
    assert Reading.objects.count() == 1

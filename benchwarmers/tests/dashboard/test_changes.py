"""The pages of the change log and of the log of readings: who sees what, narrowed, paged, and as files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.changes import in_chunks, lay_out
from benchwarmers.dashboard.paging import PAGE
from benchwarmers.tests.dashboard.conftest import NOON
from collections_app.models import Change
from gateway.models import Reading

As = Callable[[str], Client]
pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous")


@pytest.fixture
def as_person(as_person: As) -> As:
    """As everywhere, but the sign-in of the test itself is no line of the log."""

    def enter(name: str) -> Client:
        client = as_person(name)
        Change.objects.filter(thing="session", field="").delete()
        return client

    return enter


@pytest.fixture(autouse=True)
def log() -> None:
    """Four changes, an hour apart, and two readings."""
    Change.objects.all().delete()
    add_change(0, "endpoint", "north", "base", old="https://a.example", new="https://b.example")
    add_change(1, "collection", "core", new={"members": ["fast", "slow"], "reply": "all", "tags": []}, who="boss")
    add_change(2, "key", "laptop", "rpm", old=10, new=None, address="203.0.113.9")
    add_change(26, "session", "ben", "refused", new="refused", who="nobody", address="203.0.113.7")
    for hours, who in ((0, "maya"), (1, "boss")):
        row = Reading.objects.create(
            reader=User.objects.get(username=who),
            reader_name=who,
            address="203.0.113.9",
            thing="panel",
            name=f"p{hours}",
            owner_name="ben",
        )
        Reading.objects.filter(pk=row.pk).update(at=NOON + timedelta(hours=hours))


def add_change(hours: int, thing: str, name: str, field: str = "", *, who: str = "maya", **more: Any) -> Change:
    row = Change.objects.create(actor_name=who, thing=thing, name=name, field=field, **more)
    Change.objects.filter(pk=row.pk).update(at=NOON + timedelta(hours=hours))
    return row


def names(client: Client, address: str) -> list[str]:
    return re.findall(r'class="name"[^>]*>([^<]+)<', client.get(address).content.decode())


def body(answer: Any) -> str:
    return b"".join(answer).decode()


@pytest.mark.parametrize(
    ("who", "changes", "readings"), [("zoe", 403, 403), ("ben", 403, 403), ("maya", 200, 403), ("boss", 200, 200)]
)
def test_curators_see_the_changes_and_admins_the_readings_too(
    as_person: As, who: str, changes: int, readings: int
) -> None:
    client = as_person(who)
    for form in ("", "?format=csv", "?format=jsonl"):
        assert client.get(f"/changes/{form}").status_code == changes
        assert client.get(f"/changes/readings/{form}").status_code == readings
    assert ("/changes/" in client.get("/panels/").content.decode()) == (changes == 200)


def test_sign_ins_and_addresses_are_for_those_who_see_the_readings(as_person: As) -> None:
    for form in ("", "?format=csv", "?format=jsonl"):
        answer = as_person("maya").get(f"/changes/{form}")
        page = body(answer) if form else answer.content.decode()
        assert "laptop" in page
        assert "203.0.113" not in page
        assert "refused" not in page
    User.objects.filter(username="maya").update(is_staff=True)
    in_admin = as_person("maya").get("/admin/collections_app/change/").content.decode()
    assert "laptop" in in_admin
    assert "refused" not in in_admin
    row = Change.objects.get(name="laptop")
    assert "203.0.113" not in as_person("maya").get(f"/admin/collections_app/change/{row.pk}/change/").content.decode()
    page = as_person("boss").get("/changes/").content.decode()
    assert "203.0.113.7" in page
    assert "refused" in page


def test_old_and_new_stand_side_by_side_newest_first(as_person: As) -> None:
    page = re.sub(r"\s+", " ", as_person("maya").get("/changes/").content.decode())
    rows = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr> <td.*?</tr>", page)]
    assert rows == [
        "14:00:00 maya key laptop rpm 10 –",
        "13:00:00 boss collection core added – members fast, slow reply all",
        "12:00:00 maya endpoint north base https://a.example https://b.example",
    ]
    page = re.sub(r"\s+", " ", as_person("boss").get("/changes/?thing=session").content.decode())
    assert "added" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("who=BOSS", ["core"]),
        ("who=bos", []),
        ("thing=key", ["laptop"]),
        ("q=ort", ["north"]),
        ("since=2026-11-30", ["ben"]),
        ("until=2026-11-29", ["laptop", "core", "north"]),
        ("since=2026-11-29&until=2026-11-29&who=maya&thing=endpoint", ["north"]),
        ("since=yesterday&until=2026-02-31", ["ben", "laptop", "core", "north"]),
        ("before=rubbish", ["ben", "laptop", "core", "north"]),
        ("before=2026-11-29T12:00:00%2B00:00~no-number", ["ben", "laptop", "core", "north"]),
    ],
)
def test_the_log_is_narrowed_on_the_page_and_in_the_file_alike(as_person: As, query: str, found: list[str]) -> None:
    client = as_person("boss")
    assert names(client, f"/changes/?{query}") == found
    told = body(client.get(f"/changes/?{query}&format=jsonl")).splitlines()
    assert sorted(json.loads(line)["name"] for line in told) == sorted(found)


def test_paging_shows_every_change_once_with_the_filters_kept(
    as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(2 * PAGE):
        add_change(-number // 3, "setting", f"n{number:03}")
    client, seen, address = as_person("boss"), [], "/changes/?thing=setting"
    while address:
        with django_assert_max_num_queries(10):
            page = client.get(address).content.decode()
        seen += re.findall(r'class="name">(n\d+)<', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = older[1].replace("&amp;", "&") if older else ""
    assert sorted(seen) == [f"n{number:03}" for number in range(2 * PAGE)]


def test_a_script_gets_the_rows_alone(as_person: As) -> None:
    answer = as_person("boss").get("/changes/?who=maya", headers={"HX-Request": "true", "HX-Trigger": "log-filter"})
    assert answer.content.decode().lstrip().startswith("<section")
    assert answer["HX-Push-Url"] == "/changes/?who=maya"


def test_a_file_has_all_rows_and_no_formula_and_taking_it_is_a_reading(as_person: As) -> None:
    add_change(3, "person", "=cmd|' /C calc'!A0", old={"a": [1]}, new="-1+1")
    client = as_person("boss")
    answer = client.get("/changes/?format=csv")
    assert answer["Content-Disposition"] == 'attachment; filename="changes.csv"'
    rows = list(csv.DictReader(io.StringIO(body(answer))))
    assert list(rows[0]) == ["at", "actor", "address", "thing", "name", "field", "old", "new"]
    assert len(rows) == 5
    odd = next(row for row in rows if row["thing"] == "person")
    assert (odd["name"], odd["old"], odd["new"]) == ("'=cmd|' /C calc'!A0", '{"a": [1]}', "'-1+1")
    row = Reading.objects.get(thing="export")
    assert (row.reader_name, row.name, row.owner_name) == ("boss", "changes", "everybody")


def test_the_readings_are_listed_and_exported(as_person: As) -> None:
    client = as_person("boss")
    assert names(client, "/changes/readings/") == ["p1", "p0"]
    assert names(client, "/changes/readings/?who=maya") == ["p0"]
    told = [json.loads(line) for line in body(client.get("/changes/readings/?format=jsonl&q=p0")).splitlines()]
    assert [(one["reader"], one["name"], one["owner"]) for one in told] == [("maya", "p0", "ben")]


def test_a_file_is_read_in_chunks_that_meet(as_person: As) -> None:
    chunks = list(in_chunks(Change.objects.all(), size=3))
    assert [len(chunk) for chunk in chunks] == [3, 1]
    assert len({row.pk for chunk in chunks for row in chunk}) == 4


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (None, []),
        ("", [("", "(empty)")]),
        (True, [("", "yes")]),
        (0, [("", "0")]),
        ([], [("", "(none)")]),
        (["a", 1], [("", "a, 1")]),
        ([{"a": 1}], [("", '[{"a": 1}]')]),
        ({"a": None, "b": "", "c": [], "d": False, "e": 0}, [("d", "no"), ("e", "0")]),
        ("x" * 500, [("", "x" * 400 + "…")]),
    ],
)
def test_a_value_is_laid_out_for_people(value: Any, lines: list[tuple[str, str]]) -> None:
    assert lay_out(value) == lines

"""The page of logs: who sees which sections, what they tell, and how they are narrowed, turned over and taken along."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchwarmers.operations.logs import sections
from benchwarmers.tests.dashboard.conftest import as_person, bens_panel, world
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.pages.talks import Took, make_talk
from collections_app.actions.setting import do_save_settings
from gateway.models import Panel, Reading
from probes.jobs.store import enqueue
from probes.models import Job, JobLine

__all__ = ["as_person", "bens_panel", "world"]
As = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SCRIPT = {"HX-Request": "true"}


def add_job(key: str = "all", of: str = "availability", **fields: Any) -> Job:
    job = enqueue(of, key, now=NOON)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(key=key, **fields)
    job.refresh_from_db()
    return job


def shown(page: Any) -> dict[str, list[Any]]:
    return {part["section"].name: list(part["rows"]) for part in page.context["parts"]}


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("zoe", ["calls"]),
        ("ben", ["calls"]),
        ("maya", ["calls", "changes", "runs", "onboarding"]),
        ("boss", ["calls", "changes", "runs", "onboarding"]),
    ],
)
def test_everybody_sees_the_sections_that_they_may_see(as_person: As, name: str, names: list[str]) -> None:
    client = as_person(name)
    assert list(shown(client.get("/logs/"))) == names
    for section in ("changes", "runs", "onboarding"):
        expected = 200 if section in names else 404
        assert client.get(f"/logs/?section={section}", headers=SCRIPT).status_code == expected
        assert client.get(f"/logs/?section={section}&format=csv").status_code == expected


def test_calls_tell_who_sat_and_how_it_ended_and_never_what_was_asked(as_person: As, bens_panel: str) -> None:
    told = text_of(as_person("ben"), "/logs/")
    assert "29 Nov, 12:00:00" in told
    assert "bench/core" in told
    assert "2 failed" in told
    assert "What is a bench for?" not in told
    assert "To sit on." not in told


def test_nobody_sees_the_calls_of_others_but_who_may(as_person: As, bens_panel: str) -> None:
    assert shown(as_person("zoe").get("/logs/"))["calls"] == []
    assert [one.row.pk for one in shown(as_person("maya").get("/logs/"))["calls"]] == [bens_panel]


def test_a_conversation_stands_there_with_its_last_turn(as_person: As, bens_panel: str) -> None:
    talk = make_talk(NOON + timedelta(hours=1), "core", "Mend it", [Took("osprey"), Took("wren", "error")], owner="ben")
    rows = shown(as_person("ben").get("/logs/"))["calls"]
    assert [one.row.pk for one in rows] == [talk, bens_panel]
    assert (rows[0].turn.number, rows[0].turn.alias, rows[0].failed) == (2, "wren", 1)
    assert "Mend it" not in text_of(as_person("ben"), "/logs/")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=osprey", True),
        ("q=CORE", True),
        ("q=ben", True),
        ("q=What+is+a+bench", False),
        ("only=trouble", True),
        ("only=trouble&q=nobody", False),
        ("since=2026-11-29&until=2026-11-29", True),
        ("since=2026-11-30", False),
        ("until=2026-11-28", False),
        ("since=nonsense", True),
    ],
)
def test_one_filter_narrows_calls(as_person: As, bens_panel: str, query: str, found: bool) -> None:
    page = as_person("maya").get(f"/logs/?{query}")
    assert bool(shown(page)["calls"]) is found
    assert found or "Nothing fits." in page.content.decode()


def test_the_filter_narrows_every_section_and_opens_where_something_fits(as_person: As) -> None:
    add_job(note="12 of 14 answered", state="done")
    add_job("granite-l", "onboard", state="failed", note="it did not answer")
    do_save_settings(actor=User.objects.get(username="boss"), max_calls=7)
    client = as_person("maya")
    page = client.get("/logs/?q=answer")
    assert {name: len(rows) for name, rows in shown(page).items()} == {
        "calls": 0,
        "changes": 0,
        "runs": 1,
        "onboarding": 1,
    }
    assert [part["section"].name for part in page.context["parts"] if part["open"]] == ["calls", "runs", "onboarding"]
    assert len(shown(client.get("/logs/?q=max_calls"))["changes"]) == 1
    trouble = shown(client.get("/logs/?only=trouble"))
    assert {name: len(rows) for name, rows in trouble.items()} == {"calls": 0, "runs": 0, "onboarding": 1}


def test_runs_of_the_schedule_and_onboardings_unfold_their_output(as_person: As) -> None:
    job = add_job("granite-l", "onboard", state="done")
    JobLine.objects.create(job=job, at=NOON, text="<b>it answers</b>")
    client = as_person("maya")
    assert f'hx-get="/logs/output/{job.pk}/"' in client.get("/logs/").content.decode()
    output = client.get(f"/logs/output/{job.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "&lt;b&gt;it answers&lt;/b&gt;" in output
    assert "data-live" not in output
    Job.objects.filter(pk=job.pk).update(state="running")
    again = client.get(f"/logs/output/{job.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert f'data-live="job:{job.pk}"' in again
    assert as_person("ben").get(f"/logs/output/{job.pk}/").status_code == 404


def test_what_runs_is_followed(as_person: As) -> None:
    client = as_person("maya")
    assert ", every 3s" not in client.get("/logs/").content.decode()
    job = add_job("granite-l", "onboard", state="running", step=2, started_at=NOON)
    for number in range(12):
        JobLine.objects.create(job=job, at=NOON, text=f"line {number}.")
    part = client.get("/logs/?section=running", headers=SCRIPT).content.decode()
    assert part.startswith('<section id="running"')
    assert f'data-live="jobs job:{job.pk}"' in part
    assert ", every 3s" in part
    assert "line 11." in part
    assert "line 3." not in part
    assert "line 3." not in as_person("ben").get("/logs/?section=running", headers=SCRIPT).content.decode()


def test_sections_are_turned_over_one_by_one(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        Panel.objects.create(
            id=f"p{number:02}", caller="x", collection_name="core", started_at=NOON + timedelta(minutes=number)
        )
    client = as_person("maya")
    page = client.get("/logs/")
    seen = [one.row.pk for one in shown(page)["calls"]]
    while older := page.context["parts"][0]["older"]:
        page = client.get("/logs/" + older)
        assert page.context["parts"][0]["open"]
        assert 'data-live="panels' not in page.content.decode()
        seen += [one.row.pk for one in shown(page)["calls"]]
    assert seen == [f"p{number:02}" for number in reversed(range(60))]
    assert "Newest" in page.content.decode()


def test_each_section_is_taken_along_as_a_file(as_person: As, bens_panel: str) -> None:
    add_job(note="=cmd", state="done")
    client = as_person("maya")
    calls = list(csv.DictReader(io.StringIO(taken(client, "calls"))))
    assert [(row["id"], row["who"], row["state"]) for row in calls] == [(bens_panel, "ben", "done")]
    assert calls[0]["seats"] == "member granite-l: ok; member osprey: error; explorer wren: empty"
    runs = list(csv.DictReader(io.StringIO(taken(client, "runs"))))
    assert [(row["kind"], row["note"]) for row in runs] == [("Availability", "'=cmd")]
    assert taken(client, "onboarding").splitlines() == [",".join(sections.SECTIONS["onboarding"].columns)]
    assert set(Reading.objects.values_list("name", flat=True)) == {"logs: calls", "logs: runs", "logs: onboarding"}


def test_changes_leave_without_addresses_for_whoever_may_not_see_them(as_person: As) -> None:
    do_save_settings(actor=User.objects.get(username="boss"), max_calls=7)
    rows = list(csv.DictReader(io.StringIO(taken(as_person("maya"), "changes"))))
    assert [(row["actor"], row["field"], row["new"], row["address"]) for row in rows] == [
        ("boss", "max_calls", "7", "")
    ]


def test_a_full_page_costs_few_queries(as_person: As, bens_panel: str) -> None:
    for number in range(30):
        make_talk(NOON + timedelta(minutes=number), "core", "Mend it", [Took("osprey")], owner="ben")
        add_job(f"model-{number}", "onboard", state="done")
    client = as_person("maya")
    client.get("/logs/")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get("/logs/?q=o")
    assert len(asked) <= 25


def taken(client: Client, section: str) -> str:
    answer: Any = client.get(f"/logs/?section={section}&format=csv")

    async def gather() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return async_to_sync(gather)().decode()

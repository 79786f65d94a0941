"""The list of jobs, one job with its output, and what may be done to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.hearing import Hearing
from benchwarmers.operations.jobs import selectors
from benchwarmers.tests.dashboard.conftest import as_person, world
from benchwarmers.tests.dashboard.test_usage import text_of
from collections_app.models import Change
from probes.jobs.store import enqueue
from probes.models import Job, JobLine

__all__ = ["as_person", "world"]
As = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def add_job(key: str = "all", of: str = "availability", **fields: Any) -> Job:
    given = {name: fields.pop(name) for name in ("batch", "payload", "lane") if name in fields}
    job = enqueue(of, key, now=NOON, **given)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(key=key, **fields)
    job.refresh_from_db()
    return job


def ended(state: str = "done", **fields: Any) -> dict[str, Any]:
    return {"state": state, "started_at": NOON, "ended_at": NOON + timedelta(seconds=75), **fields}


@pytest.mark.parametrize(("name", "status"), [("maya", 200), ("boss", 200), ("ben", 403), ("zoe", 403)])
def test_only_those_who_run_operations_see_jobs(as_person: As, name: str, status: int) -> None:
    assert as_person(name).get("/jobs/").status_code == status


def test_without_jobs_the_page_says_where_they_come_from(as_person: As) -> None:
    assert "No job yet" in text_of(as_person("maya"), "/jobs/")


def test_each_job_is_told_in_a_row(as_person: As) -> None:
    add_job(by="schedule", **ended(note="12 of 14 answered"))
    add_job("granite-l", "onboard", state="running", step=2, started_at=timezone.now())
    told = text_of(as_person("maya"), "/jobs/")
    assert "done Availability 12 of 14 answered schedule, 29 Nov, 12:00 1 min 15 s" in told
    assert "running Onboarding granite-l 2 of 5" in told


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("", {"a", "b", "c"}),
        ("?state=done", {"a"}),
        ("?kind=speed", {"b"}),
        ("?batch=x", {"b", "c"}),
        ("?batch=x&state=failed", {"c"}),
        ("?kind=nonsense&state=nonsense", {"a", "b", "c"}),
        ("?kind=catalog", set()),
    ],
)
def test_the_list_is_narrowed_by_kind_state_and_batch(as_person: As, query: str, keys: set[str]) -> None:
    add_job("a", **ended())
    add_job("b", "speed", batch="x", **ended("skipped"))
    add_job("c", batch="x", **ended("failed"))
    page = as_person("maya").get(f"/jobs/{query}")
    assert {shown.job.key for shown, _ in page.context["rows"]} == keys
    assert keys or "Nothing fits" in page.content.decode()


def test_the_list_is_paged(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "PAGE", 2)
    for key in "abc":
        add_job(key, **ended("failed"))
    client = as_person("maya")
    first = client.get("/jobs/?state=failed")
    assert [shown.job.key for shown, _ in first.context["rows"]] == ["c", "b"]
    second = client.get("/jobs/" + first.context["list"].older)
    assert [shown.job.key for shown, _ in second.context["rows"]] == ["a"]
    assert second.context["list"].newer


def test_a_script_is_given_the_rows_alone(as_person: As) -> None:
    add_job()
    answer = as_person("maya").get("/jobs/", headers={"HX-Request": "true"}).content.decode()
    assert answer.startswith('<section id="job-list"')
    assert 'data-live="jobs"' in answer


def test_a_job_shows_its_steps_its_progress_and_its_output(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_LINES", 2)
    job = add_job("granite-l", "onboard", state="running", step=3, lane="harbour", started_at=timezone.now())
    for text in ("one", "two", "<b>three</b>"):
        JobLine.objects.create(job=job, at=NOON, text=text)
    page = as_person("maya").get(f"/jobs/{job.pk}/")
    html, told = page.content.decode(), text_of(as_person("maya"), f"/jobs/{job.pk}/")
    assert "3 of 5" in told
    assert "1 earlier lines are not shown. 12:00:00 two 12:00:00" in told
    assert "&lt;b&gt;three&lt;/b&gt;" in html
    assert [stands for _, stands in page.context["shown"].steps] == ["done", "done", "done", "now", ""]
    assert f'data-live="job:{job.pk}"' in html


def test_a_script_is_given_what_may_have_changed(as_person: As) -> None:
    job = add_job()
    answer = as_person("maya").get(f"/jobs/{job.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert answer.startswith('<div id="job"')


def test_a_page_asks_by_itself_only_while_something_is_open(as_person: As) -> None:
    """News may come between the page and its socket."""
    job, client = add_job(), as_person("maya")
    paths = (f"/jobs/{job.pk}/", "/jobs/", "/schedule/")
    assert all(", every " in client.get(path).content.decode() for path in paths)
    Job.objects.filter(pk=job.pk).update(**ended())
    assert not any(", every " in client.get(path).content.decode() for path in paths)


def test_news_of_a_job_is_told_to_those_who_may_see_jobs() -> None:
    job = add_job()
    heard = {name: Hearing(User.objects.get(username=name)).among([f"job:{job.pk}"]) for name in ("maya", "ben")}
    assert heard == {"maya": [f"job:{job.pk}"], "ben": []}


def test_a_job_is_stopped_and_asked_for_again(as_person: As) -> None:
    job, client = add_job("granite-l", lane="harbour", batch="x", payload={"mode": "quick"}), as_person("maya")
    assert "Ask for it again" not in client.get(f"/jobs/{job.pk}/").content.decode()
    answer = client.post(f"/jobs/{job.pk}/stop", follow=True)
    assert "It will not begin." in answer.content.decode()
    job.refresh_from_db()
    assert (job.state, job.note) == ("skipped", "stopped by maya")
    again = client.post(f"/jobs/{job.pk}/again", follow=True).context["job"]
    assert (again.kind, again.key, again.lane, again.batch, again.payload) == (
        *("availability", "granite-l", "harbour", "x"),
        {"mode": "quick"},
    )
    assert (again.state, again.by, again.actor.username) == ("queued", "maya", "maya")
    told = set(Change.objects.filter(thing="job").values_list("name", "field", "actor_name"))
    assert told == {(str(job.pk), "stop", "maya"), (str(job.pk), "again", "maya")}


def test_a_job_that_runs_is_asked_to_end(as_person: As) -> None:
    job = add_job(state="running")
    answer = as_person("maya").post(f"/jobs/{job.pk}/stop", follow=True).content.decode()
    job.refresh_from_db()
    assert (job.state, job.stop_asked) == ("running", True)
    assert "It ends when it next looks up" in answer
    assert f"/jobs/{job.pk}/stop" not in answer


@pytest.mark.parametrize(
    ("fields", "verb", "says"),
    [
        (ended(), "stop", "This job has ended."),
        (ended(), "again", "Only a job that ended without being done"),
        ({}, "again", "Only a job that ended without being done"),
        (ended("failed", kind="of old"), "again", "does not know this kind of work any more"),
    ],
)
def test_what_cannot_be_done_is_said(as_person: As, fields: dict[str, Any], verb: str, says: str) -> None:
    job = add_job(**fields)
    assert says in as_person("maya").post(f"/jobs/{job.pk}/{verb}", follow=True).content.decode()
    assert Job.objects.count() == 1
    assert not Change.objects.filter(thing="job").exists()


def test_what_is_asked_for_already_is_not_asked_for_twice(as_person: As) -> None:
    job = add_job(**ended("failed"))
    add_job()
    answer = as_person("maya").post(f"/jobs/{job.pk}/again", follow=True).content.decode()
    assert "The same work is waiting or running already." in answer


def test_ended_jobs_are_forgotten_unless_some_of_them_run(as_person: As) -> None:
    add_job("a", batch="x", **ended())
    runs = add_job("b", batch="x", state="running")
    add_job("c", **ended("failed"))
    client = as_person("maya")
    assert "1 of these jobs wait or run" in client.post("/jobs/clear", {"batch": "x"}, follow=True).content.decode()
    assert "1 ended job forgotten." in client.post("/jobs/clear", {"state": "failed"}, follow=True).content.decode()
    Job.objects.filter(pk=runs.pk).update(**ended())
    assert "2 ended jobs forgotten." in client.post("/jobs/clear", {"batch": "x"}, follow=True).content.decode()
    assert not Job.objects.exists()


def test_who_may_only_look_is_shown_no_buttons(as_person: As) -> None:
    from django.contrib.auth.models import Permission

    zoe = User.objects.get(username="zoe")
    zoe.user_permissions.add(Permission.objects.get(codename="view_job"))
    job, client = add_job(), as_person("zoe")
    for path in ("/jobs/", f"/jobs/{job.pk}/"):
        assert b'method="post" action="/jobs' not in client.get(path).content
    assert client.post(f"/jobs/{job.pk}/stop").status_code == 404


def test_what_is_open_is_stopped_from_the_list_as_well(as_person: As) -> None:
    client, job = as_person("maya"), enqueue("availability", "all", now=NOON)
    assert job is not None
    address = f"/jobs/{job.pk}/stop"
    assert f'action="{address}"' in client.get("/jobs/").content.decode()
    client.post(address)
    assert f'action="{address}"' not in client.get("/jobs/").content.decode()

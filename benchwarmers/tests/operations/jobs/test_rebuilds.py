"""Sums that are made anew by a job: right afterwards, with progress, stopped when asked to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.pages.seed import make_models, make_people
from collections_app.models import Evidence, LanguageModel, Standing
from collections_app.refusal import NotThere, Refused
from gateway.canon.kinds import JobState
from gateway.models import Call, UsageDay
from probes.jobs.actions import do_rebuild
from probes.jobs.run import run_job
from probes.models import Job

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def world() -> None:
    make_people()
    make_models()


def clock() -> datetime:
    return timezone.now()


def rebuild(what: str) -> Job:
    return do_rebuild(actor=User.objects.get(username="maya"), what=what, now=timezone.now())


def test_standings_that_somebody_spoiled_are_right_again() -> None:
    wren = LanguageModel.objects.get(alias="wren")
    Evidence.objects.create(language_model=wren, collection_name="core", kind="seat", call="c", status="ok", at=NOON)
    Standing.objects.all().delete()
    Standing.objects.create(language_model=wren, collection_name="", shape="", offloads=99)
    job = rebuild("standings")
    run_job(job.pk, clock)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.DONE, 8, 8)
    assert job.note == "the standings of 1 models made anew"
    assert Standing.objects.get(language_model=wren, collection_name="", shape="").offloads == 1


def test_usage_is_summed_from_the_ledger() -> None:
    Call.objects.create(at=NOON, alias="wren", connection="harbour", purpose="route", tokens_in=7, status="ok")
    UsageDay.objects.all().delete()
    job = rebuild("usage")
    run_job(job.pk, clock)
    job.refresh_from_db()
    assert (job.state, job.note) == (JobState.DONE, "the sums of 1 days made anew")
    assert UsageDay.objects.get().tokens_in == 7


@pytest.mark.parametrize("what", ["standings", "usage"])
def test_it_stops_when_asked_and_is_not_begun_twice(what: str) -> None:
    for day in (18, 19):
        Call.objects.create(at=NOON.replace(day=day), alias="wren", connection="harbour", purpose="route", status="ok")
    job = rebuild(what)
    with pytest.raises(Refused, match="already"):
        rebuild(what)
    Job.objects.filter(pk=job.pk).update(stop_asked=True)
    run_job(job.pk, clock)
    job.refresh_from_db()
    assert job.state == JobState.SKIPPED
    assert job.done < 2


def test_nothing_else_is_made_anew() -> None:
    with pytest.raises(NotThere):
        rebuild("onboard")


def test_a_curator_starts_it_on_the_page_of_jobs(client: Client) -> None:
    client.force_login(User.objects.get(username="maya"))
    assert "Make sums anew" in client.get("/jobs/").content.decode()
    answer = client.post("/jobs/rebuild", {"what": "standings"})
    assert answer["Location"] == f"/jobs/{Job.objects.get().pk}/"
    assert client.post("/jobs/rebuild", {"what": "nonsense"})["Location"] == "/jobs/"
    assert Job.objects.count() == 1

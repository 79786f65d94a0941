"""The suite within an onboarding: the whole of it for a model just taken on, as one scheduled pass for a free one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest

from collections_app.models import LanguageModel
from probes.jobs.kinds import KINDS, Kind
from probes.jobs.run import run_job
from probes.jobs.work import Ending, JobAtWork
from probes.models import Job
from probes.onboarding.suite_hook import LIMIT, OVER, run_suite
from probes.tests.jobs.given import NOW, Clock, asked
from probes.tests.sweeps.provider import Provider, provider, says
from probes.tests.sweeps.sweeping import registered
from suite.models import Attempt, SuitePass
from suite.tests.asking.passing import FOUND, HASTY, hunts, wait_until_ended
from suite.work import for_model


def answers(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return says(FOUND)


def step(at_work: JobAtWork) -> Ending:
    """What the last step of an onboarding does."""
    return Ending(note=run_suite(at_work, LanguageModel.objects.get(alias="c1-m1")))


def hasty(at_work: JobAtWork, model: LanguageModel, *, gently: bool) -> str:
    """The suite's function, without the seconds between two calls."""
    return for_model(at_work, model, gently=gently, manner=HASTY)


@pytest.fixture(autouse=True)
def kinds() -> Iterator[None]:
    """The step is a job of its own."""
    made = {"taking": Kind("Taking", f"{__name__}:step"), "suite-model": Kind("Suite", f"{__name__}:hasty")}
    with patch.dict(KINDS, made):
        yield


def taken(clock: Clock, job: Job | None = None) -> Job:
    """The job after a claim of it."""
    job = job or asked("taking")
    run_job(job.pk, clock)
    return Job.objects.get(pk=job.pk)


def questions(one: Provider) -> list[str]:
    return [question for _, question in one.asked]


def test_a_model_just_taken_on_is_asked_everything_that_it_has_not_answered() -> None:
    with provider(answers) as one:
        registered(one.base, models=1)
        hunts(8)
        assert taken(Clock()).note == "8 answered"
        one.asked.clear()
        assert taken(Clock(), asked("taking", "again")).note == "the suite has no task that it has not answered"
    assert one.asked == []
    assert SuitePass.objects.get().kind == "onboarding"


def test_a_free_model_is_asked_as_much_as_in_one_scheduled_pass() -> None:
    with provider(answers) as one:
        registered(one.base, models=1, served="c1/m1:free")
        hunts(8)
        assert taken(Clock()).note == "6 answered"
    assert questions(one) == [f"Hunt {number}." for number in range(1, 7)]


def test_it_ends_after_an_hour_and_what_was_answered_is_kept() -> None:
    clock = Clock()

    def slow(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if question == "Hunt 2.":
            clock.now += LIMIT
        if question == "Hunt 3.":
            wait_until_ended()
        return says(FOUND)

    with provider(slow) as one:
        registered(one.base, models=1)
        hunts(3)
        job = taken(clock)
    assert (job.state, job.note) == ("done", OVER)
    assert list(Attempt.objects.values_list("outcome", flat=True)) == ["answered", "answered", ""]
    assert SuitePass.objects.get().ended_at == NOW + LIMIT


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("kept", [1, 2, 4])
def test_another_process_goes_on_with_the_same_pass(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = JobAtWork.progress, 0

    def dying(at_work: JobAtWork, done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == kept:
            raise Killed
        real(at_work, done, total)

    with provider(answers) as one:
        registered(one.base, models=1)
        hunts(4)
        job = asked("taking")
        monkeypatch.setattr(JobAtWork, "progress", dying)
        with pytest.raises(Killed):
            taken(Clock(), job)
        before = Attempt.objects.exclude(outcome="").count()
        one.asked.clear()
        later: datetime = NOW + timedelta(minutes=1)
        job = taken(Clock(later), job)
    assert before == kept
    assert {question for _, question in one.asked} == {f"Hunt {number}." for number in range(kept + 1, 5)}
    assert (job.note, SuitePass.objects.count()) == ("4 answered", 1)

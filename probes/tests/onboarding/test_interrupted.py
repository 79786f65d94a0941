"""A process dies in the middle: whoever takes the job up again repeats no call of a finished step, and no answer that
was kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest

from collections_app.models import Change, LanguageModel
from probes.jobs.run import run_job
from probes.jobs.store import LEASE
from probes.jobs.work import JobAtWork
from probes.models import Job, ProbeSample
from probes.onboarding import probe, steps
from probes.tests.jobs.given import NOW, Clock
from probes.tests.onboarding.scripted import Scripted
from probes.tests.onboarding.taken import asked

ALL = {"tiny": 2, "large": 2, "instruct": 1, "tools": 1}


class Killed(BaseException):
    """The process is gone: nothing may catch it."""


@contextmanager
def dying(where: Any, name: str, after: int) -> Iterator[None]:
    """The process dies when this is called for the `after`th time, once it has done its work."""
    calls = 0
    real: Callable[..., Any] = getattr(where, name)

    def once(*words: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        came = real(*words, **more)
        if calls == after:
            raise Killed
        return came

    with patch.object(where, name, once):
        yield


def worked_again(job: Job) -> Job:
    """Another process takes the job up when its lease has run out."""
    run_job(job.pk, Clock(NOW + LEASE + timedelta(seconds=1)))
    return Job.objects.get(pk=job.pk)


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5])
def test_after_a_finished_step_nothing_of_it_is_done_again(provider: Scripted, step: int) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    (job,) = asked("chats-1", mode="full")
    with dying(JobAtWork, "keep", step), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW))
    before = dict(provider.asked)
    ended = worked_again(job)
    assert (ended.state, ended.step) == ("done", 5)
    assert provider.questions_to("chats-1") == ALL
    assert step < 4 or dict(provider.asked) == before
    assert LanguageModel.objects.count() == 1
    assert Change.objects.filter(field="onboarded").count() == 1


@pytest.mark.parametrize("number", range(1, 7))
def test_an_answer_that_was_kept_is_not_asked_for_again(provider: Scripted, number: int) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    (job,) = asked("chats-1")
    with dying(probe, "keep_sample", number), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW))
    assert sum(provider.asked.values()) == number
    ended = worked_again(job)
    assert ended.state == "done"
    assert ended.note.startswith("answered 4/4")
    assert provider.questions_to("chats-1") == ALL
    assert ProbeSample.objects.count() == 6


def test_a_death_between_an_answer_and_its_row_costs_that_one_call(provider: Scripted) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    (job,) = asked("chats-1")
    with dying(probe, "run_errands", 3), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW))
    assert worked_again(job).state == "done"
    assert provider.questions_to("chats-1") == {**ALL, "large": 3}
    assert ProbeSample.objects.count() == 6


def test_a_death_between_the_row_and_the_end_of_its_step_registers_nothing_twice(provider: Scripted) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    (job,) = asked("chats-1", mode="quick-adhoc")
    with dying(steps, "note_onboarded", 1), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW))
    assert not LanguageModel.objects.exists()  # one write, with its line in the change log
    with dying(steps, "_register", 1), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW + LEASE + timedelta(seconds=1)))
    assert LanguageModel.objects.get().ad_hoc
    run_job(job.pk, Clock(NOW + 3 * LEASE))
    assert Job.objects.get(pk=job.pk).state == "done"
    assert LanguageModel.objects.get().alias == "chats-1"
    assert Change.objects.filter(field="onboarded").count() == 1


def test_no_answer_is_told_once_whoever_ends_it(provider: Scripted) -> None:
    provider.models = {"busy-1": {"id": "busy-1"}}
    (job,) = asked("busy-1")
    with dying(JobAtWork, "keep", 4), pytest.raises(Killed):
        run_job(job.pk, Clock(NOW))
    ended = worked_again(job)
    assert ended.state == "no answer"
    assert provider.questions_to("busy-1") == {"tiny": 2, "large": 2}

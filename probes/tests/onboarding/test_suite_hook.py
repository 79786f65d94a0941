"""The suite within an onboarding: asked in full mode, gently for free models, for an hour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from collections_app.models import LanguageModel
from probes.jobs.kinds import KINDS, Kind
from probes.jobs.run import run_job
from probes.jobs.work import JobAtWork
from probes.models import Job
from probes.onboarding.suite_hook import OVER
from probes.tests.jobs.given import NOW, Clock
from probes.tests.onboarding.scripted import Scripted
from probes.tests.onboarding.taken import asked, lines, taken


class Asked:
    """A suite that notes whom it was given and how."""

    def __init__(self) -> None:
        self.models: list[tuple[str, bool]] = []

    def __call__(self, at_work: JobAtWork, model: LanguageModel, *, gently: bool) -> str:
        self.models.append((model.served, gently))
        return "8 answered"


@contextmanager
def suite(function: Callable[..., str]) -> Iterator[None]:
    kind = Kind("Suite", "nowhere:none")
    real = Kind.load

    def load(one: Kind) -> object:
        return function if one is kind else real(one)

    with patch.dict(KINDS, {"suite-model": kind}), patch.object(Kind, "load", load):
        yield


def test_only_full_mode_asks_it_and_a_free_model_gently(provider: Scripted) -> None:
    provider.models = {name: {"id": name} for name in ("chats-1", "chats-2:free", "chats-3", "chats-4")}
    with suite(seen := Asked()):
        jobs = [
            taken(name, mode=mode)
            for name, mode in zip(provider.models, ("full", "full", "quick", "quick-adhoc"), strict=True)
        ]
    assert seen.models == [("chats-1", False), ("chats-2:free", True)]
    assert "8 answered" in lines(jobs[0])
    assert [job.step for job in jobs] == [5, 5, 5, 5]


def test_after_an_hour_it_ends_and_the_model_is_taken_on(provider: Scripted) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    clock = Clock(NOW)

    def slow(at_work: JobAtWork, model: LanguageModel, *, gently: bool) -> str:
        for _ in range(10):
            at_work.check()
            clock.pass_by(minutes=20)
        return "all of it"

    (job,) = asked("chats-1", mode="full")
    with suite(slow):
        run_job(job.pk, clock)
    ended = Job.objects.get(pk=job.pk)
    assert ended.state == "done"
    assert OVER in lines(ended)
    assert clock.now == NOW.replace(hour=13)


def test_without_a_suite_the_step_is_skipped(provider: Scripted) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    with pytest.MonkeyPatch.context() as patched:
        patched.delitem(KINDS, "suite-model")
        job = taken("chats-1", mode="full")
    assert job.state == "done"
    assert "there is no suite here; skipped" in lines(job)

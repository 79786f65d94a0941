"""One job at work: how it ends, what it keeps, and what a second claim finds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError
from django.test import TestCase

from gateway.canon.kinds import JobState
from probes.jobs import run, store
from probes.jobs.run import LEAVING, LONG_AT_ONCE, run_job
from probes.jobs.store import LEASE
from probes.jobs.work import Ending, JobAtWork, LeaseLost
from probes.models import Job
from probes.tests.jobs.bells import rung
from probes.tests.jobs.given import NOW, Clock, Work, asked, do_nothing, known

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def leaving() -> Iterator[None]:
    LEAVING.set()
    yield
    LEAVING.clear()


def worked(work: Work, clock: Clock, **more: Any) -> Job:
    """One claim of a job of this work, as its row stands afterwards."""
    with known(work=work):
        job = Job.objects.filter(kind="work").first() or asked("work", **more)
        run_job(job.pk, clock)
    job.refresh_from_db()
    return job


def test_a_job_ends_as_its_function_says(clock: Clock) -> None:
    def work(at_work: JobAtWork) -> Ending:
        at_work.say("asking")
        clock.pass_by(seconds=3)
        return Ending(JobState.NO_ANSWER, "it  said\nnothing")

    job = worked(work, clock)
    assert (job.state, job.note, job.lease_until) == (JobState.NO_ANSWER, "it said nothing", None)
    assert (job.started_at, job.ended_at, job.open) == (NOW, clock.now, False)
    assert list(job.lines.values_list("at", "step", "text")) == [(NOW, 1, "asking")]


class Killed(BaseException):
    """What a process that is killed leaves behind: nothing is caught, nothing written."""


def test_a_finished_step_is_not_repeated_by_the_next_process(clock: Clock) -> None:
    done: list[str] = []

    def work(at_work: JobAtWork) -> Ending:
        for step in ("served", "registered", "probed"):
            if at_work.finished(step):
                continue
            done.append(step)
            if done == ["served", "registered"]:
                raise Killed
            at_work.keep(step, {"by": len(done)})
        return Ending(note=str(at_work.found("probed")))

    with pytest.raises(Killed):
        worked(work, clock)
    job = worked(work, clock)
    assert (job.state, job.step, job.attempts) == (JobState.RUNNING, 1, 1)
    clock.pass_by(seconds=LEASE.total_seconds())
    job = worked(work, clock)
    assert done == ["served", "registered", "registered", "probed"]
    assert (job.state, job.step, job.note) == (JobState.DONE, 3, "{'by': 4}")


def test_getting_further_counts_as_a_new_beginning(clock: Clock) -> None:
    def work(at_work: JobAtWork) -> Ending:
        at_work.progress(at_work.job.done + 1, 20)
        at_work.keep_part(f"part {at_work.job.done}", "\0")
        raise Killed

    for _ in range(12):
        with pytest.raises(Killed):
            worked(work, clock)
        clock.pass_by(minutes=1)
    job = Job.objects.get()
    assert (job.state, job.done, job.attempts, job.step) == (JobState.RUNNING, 12, 1, 0)
    assert job.results["part 12"] == "\ufffd"


def test_a_job_is_stopped_where_it_checks(clock: Clock) -> None:
    def work(at_work: JobAtWork) -> Ending:
        at_work.check()
        at_work.keep("served", True)
        store.stop(Job.objects.all(), clock(), "by alice")
        at_work.check()
        raise AssertionError("not reached")

    job = worked(work, clock)
    assert (job.state, job.note, job.results) == (JobState.SKIPPED, "stopped on request", {"served": True})


def test_a_job_that_was_stopped_while_its_process_was_dead_is_not_begun_again(clock: Clock) -> None:
    def die(at_work: JobAtWork) -> Ending:
        raise Killed

    def work(at_work: JobAtWork) -> Ending:
        raise AssertionError("not reached")

    with pytest.raises(Killed):
        worked(die, clock)
    store.stop(Job.objects.all(), clock(), "by alice")
    clock.pass_by(minutes=1)
    assert worked(work, clock).state == JobState.SKIPPED


def test_a_job_that_takes_as_long_as_its_kind_may_has_failed(clock: Clock) -> None:
    def work(at_work: JobAtWork) -> Ending:
        clock.pass_by(seconds=7_199)
        at_work.check()
        clock.pass_by(seconds=1)
        at_work.check()
        raise AssertionError("not reached")

    job = worked(work, clock)
    assert (job.state, job.note) == (JobState.FAILED, "stopped at its time limit")


def test_a_defect_is_told_without_its_words(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    def work(at_work: JobAtWork) -> Ending:
        raise ValueError("a secret")

    job = worked(work, clock)
    assert (job.state, job.note) == (JobState.FAILED, "a defect of this server: ValueError; its log has more")
    assert "a secret" in caplog.text


def test_a_kind_whose_function_cannot_be_loaded_fails(clock: Clock) -> None:
    from probes.jobs.kinds import KINDS, Kind

    KINDS["lost"] = Kind("Lost", "probes.nowhere:at_all")
    try:
        job = asked("lost")
        assert run_job(job.pk, clock) == "failed"
    finally:
        del KINDS["lost"]


@pytest.mark.parametrize("error", [OperationalError("database is locked"), LeaseLost("gone")])
def test_without_the_database_or_the_lease_nothing_is_written(clock: Clock, error: Exception) -> None:
    def work(at_work: JobAtWork) -> Ending:
        raise error

    job = worked(work, clock)
    assert (job.state, job.note) == (JobState.RUNNING, "")


def test_whoever_lost_the_lease_hears_of_it_at_the_next_word(clock: Clock) -> None:
    said: list[str] = []

    def work(at_work: JobAtWork) -> Ending:
        store.claim(at_work.job.pk, "another", clock.pass_by(minutes=1))
        for act in (
            partial(at_work.say, "still here"),
            partial(at_work.keep, "served", 1),
            partial(at_work.keep_part, "served", 1),
            partial(at_work.progress, 1, 2),
        ):
            with pytest.raises(LeaseLost):
                act()
            said.append("lost")
        return Ending()

    job = worked(work, clock)
    assert said == ["lost"] * 4
    assert (job.state, job.holder, job.results, job.done, job.lines.count()) == ("running", "another", {}, 0, 0)


def test_a_process_that_is_to_end_puts_its_job_back(clock: Clock) -> None:
    def work(at_work: JobAtWork) -> Ending:
        at_work.keep("served", 1)
        LEAVING.set()
        at_work.check()
        raise AssertionError("not reached")

    try:
        job = worked(work, clock)
    finally:
        LEAVING.clear()
    assert (job.state, job.holder, job.attempts, job.results) == (JobState.QUEUED, "", 0, {"served": 1})
    with known(work=do_nothing):
        assert run_job(job.pk, clock) == "done"


def test_a_process_that_is_to_end_begins_nothing(clock: Clock, leaving: None) -> None:
    assert worked(do_nothing, clock).state == JobState.QUEUED


def test_a_bell_for_what_is_not_there_rings_in_vain(clock: Clock) -> None:
    assert run_job(17, clock) == ""
    with known(passing=do_nothing):
        job = asked("passing")
    assert run_job(job.pk, clock) == ""
    assert Job.objects.get().state == JobState.QUEUED


def test_long_jobs_leave_threads_for_quick_ones(clock: Clock) -> None:
    with known(work=do_nothing, quick=do_nothing):
        long, quick = asked("work"), asked("quick")
        taken = [run._long.acquire(blocking=False) for _ in range(LONG_AT_ONCE)]
        try:
            assert all(taken)
            assert run_job(long.pk, clock) == ""
            assert run_job(quick.pk, clock) == "done"
        finally:
            for _ in taken:
                run._long.release()
        assert run_job(long.pk, clock) == "done"


def test_a_bell_rings_after_the_commit_on_the_queue_of_the_kind(clock: Clock) -> None:
    rung()  # what others left behind
    with known(work=do_nothing, quick=do_nothing):
        with TestCase.captureOnCommitCallbacks(execute=True):
            job, quick = asked("work"), asked("quick")
            asked("work", "later", due_at=clock.pass_by(minutes=1))
            assert rung() == {"long": [], "quick": []}
        assert rung() == {"long": [job.pk], "quick": [quick.pk]}


def test_the_end_of_a_job_rings_for_the_next_of_its_lane_and_the_first_that_is_due(clock: Clock) -> None:
    rung()
    with known(work=do_nothing):
        jobs = [asked("work", key, lane=lane) for key, lane in (("a", "hive"), ("b", "quay"), ("c", "hive"))]
        with TestCase.captureOnCommitCallbacks(execute=True):
            run_job(jobs[0].pk, clock)
    assert rung()["long"] == [jobs[2].pk, jobs[1].pk]

"""What the rows of jobs must do on any database. Each check is given a clean one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.jobs.store import GIVEN_UP, LEASE, claim, end, enqueue, hold, put_back, stop
from probes.jobs.sweep import PROCESS, sweep
from probes.models import Job
from probes.tests.jobs.given import NOW, Clock, asked, do_nothing, known, states

LATER = NOW + timedelta(minutes=5)


def one_of_a_kind_and_key_is_open() -> None:
    job = asked("work")
    assert enqueue("work", "one", now=NOW) is None
    assert enqueue("work", "two", now=NOW) is not None
    assert enqueue("other", "one", now=NOW) is not None
    claimed = claim(job.pk, "a", NOW)
    assert claimed is not None
    assert enqueue("work", "one", now=NOW) is None
    assert end(claimed, JobState.FAILED, "no", NOW)
    assert enqueue("work", "one", now=NOW) is not None


def a_job_is_claimed_once() -> None:
    job = asked("work")
    claimed = claim(job.pk, "a", NOW)
    assert claimed is not None
    assert (claimed.state, claimed.holder, claimed.attempts) == (JobState.RUNNING, "a", 1)
    assert (claimed.started_at, claimed.lease_until) == (NOW, NOW + LEASE)
    assert claim(job.pk, "b", NOW) is None
    assert claim(job.pk, "b", NOW + LEASE - timedelta(milliseconds=1)) is None


def a_lease_that_ran_out_is_taken_and_the_first_writes_nothing_more() -> None:
    job = asked("work")
    first = claim(job.pk, "a", NOW)
    second = claim(job.pk, "b", NOW + LEASE)
    assert first is not None
    assert second is not None
    assert (second.attempts, second.started_at) == (2, NOW)
    assert not hold(first, LATER)
    assert not store.write(first, done=1)
    assert not store.say(first, "I am still here", LATER)
    assert not put_back(first, LATER)
    assert not end(first, JobState.DONE, "", LATER)
    job.refresh_from_db()
    assert (job.state, job.holder, job.done, job.lines.count()) == (JobState.RUNNING, "b", 0, 0)
    assert end(second, JobState.DONE, "", LATER)
    assert claim(job.pk, "c", LATER + LEASE) is None


def a_lease_that_is_renewed_is_not_taken() -> None:
    job = asked("work")
    claimed = claim(job.pk, "a", NOW)
    assert claimed is not None
    almost = NOW + LEASE - timedelta(seconds=1)
    assert hold(claimed, almost)
    assert claim(job.pk, "b", NOW + LEASE) is None
    assert claim(job.pk, "b", almost + LEASE) is not None


def of_a_lane_one_runs_at_a_time() -> None:
    one, two = asked("work", "one", lane="hive"), asked("work", "two", lane="hive")
    third, free = asked("other", "three", lane="hive"), asked("work", "four", lane="quay")
    held = claim(one.pk, "a", NOW)
    assert held is not None
    assert claim(two.pk, "b", NOW) is None
    assert claim(third.pk, "b", NOW) is None
    assert claim(free.pk, "b", NOW) is not None
    assert end(held, JobState.DONE, "", NOW)
    assert claim(third.pk, "b", NOW) is not None
    assert claim(two.pk, "c", NOW) is None


def a_job_begins_no_sooner_than_it_is_due() -> None:
    job = asked("work", due_at=LATER)
    assert claim(job.pk, "a", LATER - timedelta(seconds=1)) is None
    assert claim(job.pk, "a", LATER) is not None


def a_job_that_gets_no_further_is_given_up_at_the_sixth_claim() -> None:
    job, now = asked("work"), NOW
    for _ in range(5):
        assert claim(job.pk, "a", now) is not None
        now += LEASE
    assert claim(job.pk, "a", now) is None
    job.refresh_from_db()
    assert (job.state, job.note, job.ended_at) == (JobState.FAILED, GIVEN_UP, now)


def stopping_skips_what_waits_and_asks_what_runs() -> None:
    runs, waits, ended = asked("work", "runs"), asked("work", "waits"), asked("work", "ended")
    done = claim(ended.pk, "a", NOW)
    assert done is not None
    assert end(done, JobState.DONE, "", NOW)
    assert claim(runs.pk, "a", NOW) is not None
    assert stop(Job.objects.all(), LATER, "stopped by alice") == 2
    assert states() == {"runs": "running", "waits": "skipped", "ended": "done"}
    waits.refresh_from_db()
    runs.refresh_from_db()
    assert (waits.note, waits.ended_at, runs.stop_asked) == ("stopped by alice", LATER, True)
    assert enqueue("work", "waits", now=LATER) is not None


def no_nul_reaches_a_row() -> None:
    job = asked("work", payload={"a\0": ["b\0", {"c": "\0"}]})
    claimed = claim(job.pk, "a", NOW)
    assert claimed is not None
    assert store.say(claimed, "d\0", NOW)
    assert end(claimed, JobState.FAILED, "e\0", NOW)
    job.refresh_from_db()
    assert job.payload == {"a\ufffd": ["b\ufffd", {"c": "\ufffd"}]}
    assert (job.lines.get().text, job.note) == ("d\ufffd", "e\ufffd")


def the_sweep_rings_for_the_first_of_each_lane() -> None:
    for key, lane in (("one", "hive"), ("two", "hive"), ("three", "quay"), ("four", ""), ("five", "")):
        asked("work", key, lane=lane)
    asked("work", "later", due_at=LATER)
    assert sweep(NOW) == 4
    first = Job.objects.get(key="one")
    assert claim(first.pk, f"{PROCESS}/x", NOW) is not None
    assert sweep(NOW) == 3
    assert sweep(NOW + LEASE) == 4  # the lane is still of the one that ran
    assert sweep(LATER) == 5


def a_job_of_a_kind_that_is_gone_is_ended() -> None:
    with known(passing=do_nothing):
        asked("passing", lane="hive")
    asked("work", "two", lane="hive")
    assert sweep(NOW) == 1
    assert states() == {"one": "failed", "two": "queued"}


def renewing_ends_a_job_that_does_not_listen() -> None:
    from probes.jobs.run import _renew

    clock = Clock()
    job = asked("work")
    claimed = claim(job.pk, "a", clock())
    assert claimed is not None
    until = NOW + timedelta(hours=2)
    assert _renew(claimed, clock.pass_by(hours=1), until)
    assert not _renew(claimed, clock.pass_by(hours=1), until)
    job.refresh_from_db()
    assert (job.state, job.note) == (JobState.FAILED, "stopped at its time limit, without its own doing")


CHECKS: tuple[Callable[[], None], ...] = (
    one_of_a_kind_and_key_is_open,
    a_job_is_claimed_once,
    a_lease_that_ran_out_is_taken_and_the_first_writes_nothing_more,
    a_lease_that_is_renewed_is_not_taken,
    of_a_lane_one_runs_at_a_time,
    a_job_begins_no_sooner_than_it_is_due,
    a_job_that_gets_no_further_is_given_up_at_the_sixth_claim,
    stopping_skips_what_waits_and_asks_what_runs,
    no_nul_reaches_a_row,
    the_sweep_rings_for_the_first_of_each_lane,
    a_job_of_a_kind_that_is_gone_is_ended,
    renewing_ends_a_job_that_does_not_listen,
)


def run(check: Callable[[], None]) -> None:
    with known(work=do_nothing, other=do_nothing):
        check()

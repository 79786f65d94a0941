"""Kinds of work for tests, which do what their payload says; and a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from probes.jobs import store
from probes.jobs.kinds import KINDS, LONG, QUICK, Kind
from probes.jobs.work import Ending, JobAtWork
from probes.models import Job

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
Work = Callable[[JobAtWork], Ending]


class Clock:
    """The time, which goes on when it is told to."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


@contextmanager
def known(**works: Work) -> Iterator[None]:
    """These functions are kinds of work, by name; those that begin with `quick` are quick."""
    kinds = {
        name: Kind(name.title(), f"{__name__}:none", queue=QUICK if name.startswith("quick") else LONG)
        for name in works
    }

    def load(kind: Kind) -> Work:
        return works[next(name for name, one in kinds.items() if one is kind)]

    with patch.dict(KINDS, kinds), patch.object(Kind, "load", load):
        yield


def asked(kind: str, key: str = "one", **more: Any) -> Job:
    """A job in the queue. It is there, or the test is wrong."""
    job = store.enqueue(kind, key, **({"now": NOW} | more))
    assert job is not None
    return job


def states() -> dict[str, str]:
    """By the key of each job."""
    return dict(Job.objects.values_list("key", "state"))


def do_nothing(at_work: JobAtWork) -> Ending:
    return Ending(note="nothing to do")

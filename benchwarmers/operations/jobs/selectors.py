"""What the pages of jobs read. Never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict

from benchwarmers.dashboard.paging import Filters, Page, load_page
from gateway.canon.kinds import JobState
from probes.jobs.kinds import KINDS
from probes.models import Job, JobLine

PAGE: Final = 50
MOST_LINES: Final = 500
"""Of a job's output, the newest."""
CHIPS: Final = {
    JobState.QUEUED: "",
    JobState.RUNNING: "chip-now",
    JobState.DONE: "chip-ok",
    JobState.NO_ANSWER: "chip-warn",
    JobState.FAILED: "chip-err",
    JobState.SKIPPED: "",
}


@dataclass(frozen=True, slots=True)
class JobFilters(Filters):
    """What the list is narrowed to. `batch` names jobs that were asked for together."""

    kind: str = ""
    batch: str = ""

    @classmethod
    def of_jobs(cls, query: QueryDict) -> JobFilters:
        """From the address; a kind or state that there is not does not narrow."""
        kind, state = query.get("kind", ""), query.get("state", "")
        return cls(
            state=state if state in tuple(JobState) else "",
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
            kind=kind if kind in KINDS else "",
            batch=query.get("batch", "")[:40],
        )

    @property
    def narrows(self) -> bool:
        return bool(self.kind or self.state or self.batch)

    def address(self, before: str = "", after: str = "") -> str:
        pairs = {"kind": self.kind, "state": self.state, "batch": self.batch, "before": before, "after": after}
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    def narrow(self) -> QuerySet[Job]:
        """The jobs that fit."""
        found = Job.objects.all()
        for name in ("kind", "state", "batch"):
            if value := getattr(self, name):
                found = found.filter(**{name: value})
        return found


@dataclass(frozen=True, slots=True)
class Shown:
    """A job as the pages show it."""

    job: Job

    @property
    def label(self) -> str:
        """What kind of work it is, in words."""
        kind = KINDS.get(self.job.kind)
        return kind.label if kind else self.job.kind

    @property
    def chip(self) -> str:
        return CHIPS[JobState(self.job.state)]

    @property
    def about(self) -> str:
        """What it is about; empty for all there is."""
        return "" if self.job.key == "all" else self.job.key

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The named steps, each with how it stands: done, now, or empty."""
        kind = KINDS.get(self.job.kind)
        names = kind.steps if kind else ()
        at = len(names) if self.job.state == JobState.DONE else self.job.step
        running = self.job.state == JobState.RUNNING
        return [
            (name, "done" if place < at else "now" if running and place == at else "")
            for place, name in enumerate(names)
        ]

    @property
    def total(self) -> int:
        """Of how many parts the work is made; 0 where nobody knows."""
        return self.job.total or len(self.steps)

    @property
    def done(self) -> int:
        """How many of them are finished."""
        return min(self.total, self.job.done if self.job.total else self.job.step)

    @property
    def may_stop(self) -> bool:
        return self.job.open and not self.job.stop_asked

    @property
    def may_retry(self) -> bool:
        return not self.job.open and self.job.state != JobState.DONE and self.job.kind in KINDS

    def seconds(self, now: datetime) -> float | None:
        """How long it has taken, or took; None before it began."""
        if self.job.started_at is None:
            return None
        return ((self.job.ended_at or now) - self.job.started_at).total_seconds()


def load_jobs(filters: JobFilters) -> Page[Job]:
    """One page, newest first."""
    # What steps found may be long, and no list shows it.
    return load_page(filters.narrow().defer("results", "payload"), "created_at", filters, PAGE)


def load_lines(job: Job) -> tuple[Sequence[JobLine], int]:
    """The newest lines of a job's output in order, and how many stand before them."""
    lines = list(job.lines.order_by("-id")[: MOST_LINES + 1])
    before = job.lines.count() - MOST_LINES if len(lines) > MOST_LINES else 0
    return lines[:MOST_LINES][::-1], before

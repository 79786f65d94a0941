"""What ran in the background: the schedule's jobs, the onboardings, and what runs right now with the end of its output.
Reads only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from benchwarmers.operations.jobs.selectors import Shown
from benchwarmers.operations.logs.filters import LogsFilters
from benchwarmers.operations.logs.windows import Look, join, look
from gateway.canon.kinds import JobState
from probes.jobs.kinds import KINDS
from probes.jobs.store import WHOLE
from probes.models import Job, JobLine

ONBOARD: Final = "onboard"
COLUMNS: Final = ("at", "job", "kind", "about", "state", "by", "began", "ended", "seconds", "note")
AT_ONCE: Final = 6
"""Running jobs of which the end of the output is shown."""
TAIL: Final = 8
MOST_LINES: Final = 200
"""Of a job's output as a row unfolds it, the newest."""
_TROUBLE: Final = (JobState.FAILED, JobState.NO_ANSWER)


@dataclass(frozen=True, slots=True)
class Run:
    """A job, how long it has taken or took in seconds (None before it began), and the end of its output."""

    shown: Shown
    seconds: float | None
    lines: Sequence[JobLine] = ()

    @property
    def job(self) -> Job:
        return self.shown.job


def load_runs(section: str, filters: LogsFilters, before: str, size: int, now: datetime) -> Look[Run]:
    """A page of the section `runs` or `onboarding`, newest first."""
    found = _light()
    if section == "onboarding":
        found, fits = found.filter(kind=ONBOARD), Q()
    else:
        fits = Q(key=WHOLE)
    fits &= filters.days("created_at")
    if filters.trouble:
        fits &= Q(state__in=_TROUBLE)
    if filters.text:
        fits &= _says(filters.text)
    page = join([look(found, "", before, fits or None, size)], size)
    return Look([_run(job, now) for job in page.rows], page.further)


def load_running(now: datetime) -> tuple[list[Run], int]:
    """What runs now, the newest first, each with the end of its output; and how many more run."""
    jobs = list(_light().filter(state=JobState.RUNNING).order_by("-pk"))
    shown = [_run(job, now, list(job.lines.order_by("-id")[:TAIL])[::-1]) for job in jobs[:AT_ONCE]]
    return shown, len(jobs) - len(shown)


def load_output(job: Job) -> tuple[Sequence[JobLine], bool]:
    """The end of a job's output in order, and whether more stands before it."""
    lines = list(job.lines.order_by("-id")[: MOST_LINES + 1])
    return lines[:MOST_LINES][::-1], len(lines) > MOST_LINES


def tell_run(run: Run) -> dict[str, Any]:
    """A line of a file, by COLUMNS."""
    job = run.job
    return {
        "at": _told(job.created_at),
        "job": job.pk,
        "kind": run.shown.label,
        "about": run.shown.about,
        "state": job.state,
        "by": job.by,
        "began": _told(job.started_at),
        "ended": _told(job.ended_at),
        "seconds": None if run.seconds is None else round(run.seconds, 1),
        "note": job.note,
    }


def _light() -> QuerySet[Job]:
    return Job.objects.defer("results", "payload")


def _says(text: str) -> Q:
    kinds = [name for name, kind in KINDS.items() if text.casefold() in kind.label.casefold()]
    said = Q(kind__in=kinds)
    for name in ("kind", "key", "note", "by", "state", "lane"):
        said |= Q(**{f"{name}__icontains": text})
    return said


def _run(job: Job, now: datetime, lines: Sequence[JobLine] = ()) -> Run:
    shown = Shown(job)
    return Run(shown, shown.seconds(now), lines)


def _told(moment: datetime | None) -> str | None:
    return timezone.localtime(moment).isoformat() if moment else None

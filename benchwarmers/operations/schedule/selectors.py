"""What the pages of the schedule read. Never writes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from benchwarmers.operations.jobs.selectors import Shown
from probes.jobs.kinds import KINDS
from probes.jobs.store import WHOLE
from probes.models import Job
from probes.schedule.due import next_slot
from probes.schedule.rows import Planned, planned


@dataclass(frozen=True, slots=True)
class Entry:
    """A job of the schedule: its row, the newest job that came of it, and when it is due next, if it is on."""

    planned: Planned
    last: Shown | None
    coming: datetime | None

    @property
    def kind(self) -> str:
        return self.planned.kind

    @property
    def label(self) -> str:
        return KINDS[self.planned.kind].label

    @property
    def zone(self) -> str:
        """The time zone of its times, as a place."""
        return self.planned.times.zone.replace("_", " ") if self.planned.times else ""

    @property
    def busy(self) -> bool:
        """Whether one waits or runs."""
        return self.last is not None and self.last.job.open


def load_entries(now: datetime) -> list[Entry]:
    """In the order in which they are due; those that are not, last."""
    entries = [_entry(one, now) for one in planned()]
    far = datetime.max.replace(tzinfo=now.tzinfo)
    return sorted(entries, key=lambda entry: (entry.coming or far, entry.label))


def _entry(one: Planned, now: datetime) -> Entry:
    last = Job.objects.filter(kind=one.kind, key=WHOLE).defer("results", "payload").first()
    coming = next_slot(one.times, now) if one.on and one.times else None
    return Entry(one, Shown(last) if last else None, coming)

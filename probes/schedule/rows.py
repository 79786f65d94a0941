"""The schedule's rows of django-celery-beat, as what is planned. Reads only.

Any app adds a kind of work to the schedule by a row with the task `probes.enqueue` and the kind as its one argument.
"""

from __future__ import annotations

import json
import logging
from typing import Any, Final

from django_celery_beat.models import PeriodicTask
from msgspec import Struct

from collections_app.refusal import Refused
from probes.jobs.kinds import KINDS
from probes.schedule.due import Times
from probes.schedule.times import FIELDS, read_times

TASK: Final = "probes.enqueue"
log = logging.getLogger(__name__)


class Planned(Struct, frozen=True):
    """One row. `times` is None where the row has none that can be read; it is then never due."""

    row: Any
    kind: str
    times: Times | None

    @property
    def on(self) -> bool:
        return bool(self.row.enabled) and self.times is not None


def planned() -> list[Planned]:
    """All rows whose kind of work there is, in the order of their names."""
    rows = PeriodicTask.objects.filter(task=TASK).select_related("crontab").order_by("name")
    found = [Planned(row, kind, times_of(row)) for row in rows if (kind := kind_in(row)) in KINDS]
    return list({one.kind: one for one in reversed(found)}.values())[::-1]


def kind_in(row: PeriodicTask) -> str:
    """The kind of work that a row asks for; empty when it cannot be read."""
    try:
        args = json.loads(row.args)
    except ValueError:
        return ""
    match args:
        case [str() as kind]:
            return kind
        case _:
            return ""


def times_of(row: PeriodicTask) -> Times | None:
    """When it is due; None for a row without a crontab, or with one that cannot be read."""
    if row.crontab is None:
        return None
    try:
        return read_times({name: getattr(row.crontab, name) for name in FIELDS}, str(row.crontab.timezone))
    except Refused as why:
        log.warning("the schedule's row %r is never due: %s", row.name, why)
        return None

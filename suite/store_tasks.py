"""Writes of what people decide about tasks. The actions decide; here it is written."""

from __future__ import annotations

from datetime import datetime

from collections_app.announce import tell_pages
from suite.models import Task, TaskVersion
from suite.store import TOPIC


def accept(task: Task, by: str, now: datetime) -> None:
    """A draft no more, by whom and when."""
    _write(task, draft=False, dropped=False, reviewed_by=by[:150], reviewed_at=now)


def set_dropped(task: Task, dropped: bool, by: str, now: datetime) -> None:
    """Neither asked nor counted from now on, or again."""
    _write(task, dropped=dropped, reviewed_by=by[:150], reviewed_at=now)


def set_why(task: Task, why: str) -> None:
    """How the key of the task as it is now was established; sent to nobody, so it makes no version."""
    TaskVersion.objects.filter(task=task, current=True).update(why=why)


def _write(task: Task, **fields: object) -> None:
    for name, value in fields.items():
        setattr(task, name, value)
    task.save(update_fields=list(fields))
    tell_pages(TOPIC)

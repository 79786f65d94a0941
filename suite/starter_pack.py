"""The tasks that come with the program: kept in a new installation, and brought up to date in an old one.

An operator's hand is respected: a task that was dropped, or whose current version somebody else wrote, stays as it is.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from suite.folders import read_tasks
from suite.models import Task, TaskVersion
from suite.store import keep_task
from suite.store_starter import BY, keep_new_tasks

FOLDER: Final = Path(__file__).resolve().parent / "starter"
OURS: Final = frozenset({BY, "load_suite"})
"""Who makes versions that a newer pack may replace."""


def take_starter_pack(now: datetime) -> int:
    """How many tasks were new or changed. Two queries where nothing is. The pack is part of the program and tested with
    it, so a folder that cannot be read raises BadTask."""
    tasks = {draft.slug: draft for draft, _ in read_tasks(FOLDER)}
    there = dict(Task.objects.filter(slug__in=tasks).values_list("slug", "dropped"))
    new = [draft for slug, draft in tasks.items() if slug not in there]
    keep_new_tasks(new, now)
    changed = len(new)
    current = TaskVersion.objects.filter(task__slug__in=there, current=True)
    for slug, digest, by in current.values_list("task__slug", "digest", "made_by"):
        if digest != tasks[slug].digest and by in OURS and not there[slug]:
            changed += keep_task(tasks[slug], by=BY, now=now)[1]
    return changed

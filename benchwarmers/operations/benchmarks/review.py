"""What the page of review shows: one draft with its other half. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from benchwarmers.operations.benchmarks.tasks import File, files_of
from suite.models import Task, TaskVersion
from suite.side_by_side import Pair, side_by_side


@dataclass(frozen=True, slots=True)
class Code:
    """A file as it was changed beside what it was."""

    name: str
    pairs: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft under review. `other` is the other half of its pair; with one, `codes` shows both halves side by side,
    else `files` shows what comes with it. `place` counts from 1 among `left`."""

    task: Task
    version: TaskVersion
    other: Task | None
    codes: Sequence[Code]
    files: Sequence[File]
    place: int
    left: int
    before: str
    after: str

    @property
    def both(self) -> bool:
        """Whether the other half waits too."""
        return self.other is not None and self.other.draft and not self.other.dropped


def drafts(shape: str = "", origin: str = "") -> QuerySet[Task]:
    """What waits for a person, by name."""
    found = Task.objects.filter(draft=True, dropped=False)
    if shape:
        found = found.filter(shape=shape)
    return (found.filter(origin=origin) if origin else found).order_by("slug")


def load_counts() -> list[tuple[str, str, int]]:
    """(shape, origin, how many wait)."""
    rows: Any = drafts().order_by("shape", "origin").values_list("shape", "origin").annotate(Count("id"))
    return list(rows)


def load_draft(at: str, shape: str = "", origin: str = "") -> Draft | None:
    """The draft named `at`, else the first one after it, else the last one; None when none waits."""
    waiting = drafts(shape, origin)
    task = waiting.filter(slug__gte=at).first() or waiting.last()
    if task is None:
        return None
    version = task.versions.get(current=True)
    other = Task.objects.filter(slug=task.pair).first() if task.pair else None
    before = waiting.filter(slug__lt=task.slug)
    after = waiting.filter(slug__gt=task.slug).first()
    previous = before.last()
    codes = _codes(task, version, other) if other else []
    return Draft(
        task=task,
        version=version,
        other=other,
        codes=codes,
        files=() if codes else files_of(version, keyed=True),
        place=before.count() + 1,
        left=waiting.count(),
        before=previous.slug if previous else "",
        after=after.slug if after else "",
    )


def _codes(task: Task, version: TaskVersion, other: Task) -> list[Code]:
    theirs = other.versions.filter(current=True).first()
    if theirs is None:
        return []
    bug, control = (theirs, version) if task.control else (version, theirs)
    originals = {one["name"]: one["text"] for one in control.attachments}
    keyed = bug.key.get("lines") or ()
    return [
        Code(one["name"], side_by_side(one["text"], originals[one["name"]], keyed))
        for one in bug.attachments
        if one["name"] in originals
    ]

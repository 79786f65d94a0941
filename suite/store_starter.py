"""Writes of a first start: many tasks at once, each with its first version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from suite.drafts import Draft
from suite.models import Task, TaskVersion

BY: Final = "starter pack"


def keep_new_tasks(drafts: Sequence[Draft], now: datetime) -> None:
    """These tasks, none of which is there yet, as reviewed ones."""
    if not drafts:
        return
    with transaction.atomic():
        tasks = Task.objects.bulk_create([_task(draft, now) for draft in drafts])
        TaskVersion.objects.bulk_create(
            [
                TaskVersion(
                    task=task,
                    digest=draft.digest,
                    prompt=draft.prompt,
                    attachments=draft.attachments,
                    key=draft.key,
                    why=draft.why,
                    made_by=BY,
                    made_at=now,
                )
                for task, draft in zip(tasks, drafts, strict=True)
            ]
        )


def _task(draft: Draft, now: datetime) -> Task:
    return Task(
        slug=draft.slug,
        title=draft.title,
        shape=draft.shape,
        origin=draft.origin,
        language=draft.language,
        mutation=draft.mutation,
        pair=draft.pair,
        control=draft.control,
        source=draft.source,
        source_url=draft.source_url,
        licence=draft.licence,
        created_on=draft.created_on,
        contamination=draft.contamination,
        created_at=now,
        reviewed_by=BY,
        reviewed_at=now,
    )

"""Folds evidence into standings. The fold is pure; `rebuild_standings` runs it over everything.

Every current row of evidence is one piece of work. A row that a later one replaced counts for nothing but its time.
Unjudged work counts as work only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db import transaction

from collections_app.models import Evidence, Standing


class EvidenceLike(Protocol):
    """What the fold needs of a row of evidence."""

    @property
    def language_model_id(self) -> int: ...
    @property
    def useful(self) -> float | None: ...
    @property
    def current(self) -> bool: ...
    @property
    def at(self) -> datetime: ...


@dataclass
class Tally:
    """What one model's evidence amounts to. `useful` is the sum of the means, so it is at most `judged`."""

    last_work_at: datetime | None = None
    offloads: int = 0
    judged: int = 0
    useful: float = 0.0


def fold_evidence(rows: Iterable[EvidenceLike]) -> dict[int, Tally]:
    """The tally of each model that has any evidence, by the model's id. The order of the rows does not matter."""
    tallies: dict[int, Tally] = {}
    for row in rows:
        tally = tallies.setdefault(row.language_model_id, Tally())
        if tally.last_work_at is None or row.at > tally.last_work_at:
            tally.last_work_at = row.at
        if not row.current:
            continue
        tally.offloads += 1
        if row.useful is not None:
            tally.judged += 1
            tally.useful += row.useful
    return tallies


def rebuild_standings() -> int:
    """Make every standing anew from the evidence; how many models have one."""
    with transaction.atomic():
        fields = ("language_model_id", "useful", "current", "at")
        tallies = fold_evidence(Evidence.objects.order_by().only(*fields).iterator(chunk_size=2000))
        Standing.objects.all().delete()
        Standing.objects.bulk_create(
            [
                Standing(
                    language_model_id=pk,
                    last_work_at=tally.last_work_at,
                    offloads=tally.offloads,
                    judged=tally.judged,
                    useful=tally.useful,
                )
                for pk, tally in tallies.items()
            ],
            batch_size=500,
        )
    return len(tallies)

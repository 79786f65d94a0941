"""Writes what was taken over, many rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from collections_app.models import Endpoint, Evidence, Verdict
from gateway.models import Call, Panel, Seat
from probes.models import ConnectionFact, Dismissal, ProbeSample

SIZE = 500


def keep_connection(connection: str, *, paid: bool | None = None, models_dev: str = "") -> bool:
    """What is said of a connection, if nothing was; whether it was news."""
    row, _ = ConnectionFact.objects.get_or_create(connection=connection[:100])
    before = (row.paid, row.models_dev)
    row.paid = row.paid or bool(paid)
    row.models_dev = row.models_dev or models_dev[:64]
    if before == (row.paid, row.models_dev):
        return False
    row.save()
    return True


def keep_dismissal(endpoint: Endpoint, served: str, by: str, at: datetime | None) -> bool:
    """Whether it was not dismissed before."""
    _, made = Dismissal.objects.get_or_create(
        endpoint=endpoint, served=served[:200], defaults={"by": by[:150], "at": at or timezone.now()}
    )
    return made


def keep_panels(panels: Sequence[Panel], seats: Sequence[Seat]) -> None:
    Panel.objects.bulk_create(panels, batch_size=SIZE)
    Seat.objects.bulk_create(seats, batch_size=SIZE, ignore_conflicts=True)


def keep_work(evidence: Sequence[Evidence], verdicts: Sequence[Verdict]) -> None:
    Evidence.objects.bulk_create(evidence, batch_size=SIZE)
    Verdict.objects.bulk_create(verdicts, batch_size=SIZE)


def keep_calls(calls: Sequence[Call]) -> None:
    Call.objects.bulk_create(calls, batch_size=SIZE)


def known_samples(samples: Sequence[ProbeSample]) -> set[tuple[int, datetime, str]]:
    """(model, time, prompt) of those that are there already."""
    if not samples:
        return set()
    moments = [sample.at for sample in samples]
    found = ProbeSample.objects.filter(at__gte=min(moments), at__lte=max(moments))
    return set(found.values_list("language_model_id", "at", "prompt"))


def keep_samples(samples: Sequence[ProbeSample]) -> None:
    ProbeSample.objects.bulk_create(samples, batch_size=SIZE)

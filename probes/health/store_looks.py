"""Keeps looks at models, and tells when another model answers under a model's name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.changed import RAISER, alert_key, do_set_evidence_aside
from collections_app.models import LanguageModel
from gateway.canon.kinds import AlertKind
from probes.asking import Seen
from probes.health.compare import REMEMBERED, Compared, Look
from probes.models import Fingerprint, Job
from probes.store_samples import keep_sample

KIND: Final = "fingerprint"


def keep_look(
    model: LanguageModel, look: Look, seen: Sequence[Seen], job: Job, at: datetime, compared: Compared | None
) -> Fingerprint:
    """The row of a look, and the samples of its calls, all or none: a job that is taken up again makes a look that was
    not kept anew."""
    with transaction.atomic():
        for one in seen:
            keep_sample(one, KIND, job, at=at)
        return Fingerprint.objects.create(
            language_model=model,
            at=at,
            answers=look.answers,
            served_as=look.served_as,
            distance=compared.distance if compared else None,
        )


def load_looks(model_id: int) -> list[Look]:
    """The looks since the model changed last, that one first, oldest first: as many as are remembered, and two more."""
    rows = Fingerprint.objects.filter(language_model_id=model_id).order_by("-at", "-pk")
    found = []
    for row in rows[: REMEMBERED + 2]:
        found.append(Look(dict(row.answers), row.served_as))
        if row.changed:
            break
    return found[::-1]


def note_change(model: LanguageModel, compared: Compared, at: datetime) -> None:
    """Another model answers: the last look is marked, people are told, and verdicts from before are set aside."""
    with transaction.atomic():
        last = Fingerprint.objects.filter(language_model=model).latest("at", "pk")
        Fingerprint.objects.filter(pk=last.pk).update(changed=True)
        do_set_evidence_aside(actor=None, alias=model.alias, since=at, by=RAISER)
        told = "; ".join(f"{one.name} was {one.before}, is {one.now}" for one in compared.differs)
        message = f"Another model seems to answer as {model.alias}. Verdicts from before are set aside. {told}"
        raise_alert(RAISER, Raised(alert_key(model), AlertKind.CHANGED, message, alias=model.alias), at)

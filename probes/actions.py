"""What people start by hand, beside the queue of onboardings. The work itself is a job."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.language_model import load_model
from collections_app.journal import require
from collections_app.refusal import Refused
from probes.health.evidence import paid_since
from probes.health.retry import KIND
from probes.jobs.store import enqueue
from probes.models import Job


def do_retry_model(*, actor: User | None, alias: str, now: datetime | None = None) -> Job | None:
    """Ask the model once, now, whether it answers. None when that is under way already.

    :raises Refused: it is retired, or may not be called.
    """
    model = load_model(alias)
    require(actor, "probes.add_job", "ask models again")
    if model.retired:
        raise Refused([("alias", f"{model.alias} is retired; restore it first.")])
    if paid_since(model) is not None:
        raise Refused([("alias", f"{model.alias} costs money now; allow that on its page first.")])
    return enqueue(
        KIND,
        str(model.pk),
        now=now or timezone.now(),
        payload={"model": model.pk, "alias": model.alias},
        actor=actor,
    )

"""Writes how models are. A status is no change of the catalogue: pages hear of it, the stamp moves only where seats may
change with it, which is when a retirement begins to count down or ends to.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from collections_app.actions.alert import clear_alert
from collections_app.announce import announce, tell_pages
from collections_app.models import LanguageModel
from probes.health.complaints import RETIRER
from probes.health.evidence import last_asked, load_lasts, load_missing, load_worked, paid_since
from probes.health.status import TINY, Shown, seen_status
from probes.models import ProbeSample, Served
from probes.onboarding.store import clear_issue

TOPIC = "models"
LARGE = "large"


def note_sample(model: LanguageModel, sample: ProbeSample, now: datetime) -> None:
    """The status after a probing call. Only a tiny question says how a model is; one that was answered also ends a
    countdown to its retirement, and settles what went wrong when the model was taken on."""
    if sample.answered:
        clear_issue(model)
        if model.retire_in is not None:
            end_countdown(model)
    _note_reach(model, sample)
    if sample.prompt != TINY:
        return
    missing = Served.objects.filter(
        endpoint_id=model.endpoint_id, served=model.served, first_missing__isnull=False
    ).values_list("first_missing", flat=True)
    _write(model, seen_status(last_asked(sample), missing.first(), paid_since=paid_since(model)), now)


def _note_reach(model: LanguageModel, sample: ProbeSample) -> None:
    """Whether it ever answered, and whether it answers large questions. What is the account's says nothing of it; of
    several large questions of one job, one answer is enough."""
    if sample.account_wide:
        return
    seen = ProbeSample.objects.filter(language_model=model, answered=True)
    fields = {"never_answered": not sample.answered and not seen.exists()}
    if sample.prompt == LARGE:
        same = seen.filter(job=sample.job_id, prompt=LARGE) if sample.job_id else seen.none()
        fields["fails_large"] = not sample.answered and not same.exists()
    if any(getattr(model, name) != value for name, value in fields.items()):
        LanguageModel.objects.filter(pk=model.pk).update(**fields)
        for name, value in fields.items():
            setattr(model, name, value)
        announce(TOPIC)


def refresh_status(models: Iterable[LanguageModel], now: datetime) -> None:
    """The status of each by everything that is known: what is missing, the last tiny questions, and real work that was
    answered since. A handful of queries, and one for each model that changes."""
    rows = list(models)
    missing = load_missing()
    lasts, worked = load_lasts(rows, now), load_worked(rows, now)
    for row in rows:
        since = missing.get((row.endpoint_id, row.served))
        shown = seen_status(lasts.get(row.pk), since, worked.get(row.pk), paid_since(row))
        _write(row, shown, now)


def set_countdown(model: LanguageModel, days: int | None) -> None:
    """Days until the model is retired unless it answers; None ends the countdown. Seats depend on whether there is
    one."""
    before = model.retire_in
    if before == days:
        return
    LanguageModel.objects.filter(pk=model.pk).update(retire_in=days)
    model.retire_in = days
    if (before is None) != (days is None):
        announce(TOPIC)
    else:
        tell_pages(TOPIC)


def end_countdown(model: LanguageModel) -> None:
    """It answered: nothing is coming, and the alert that said so goes at once."""
    set_countdown(model, None)
    clear_alert(RETIRER, alert_key(model))


def alert_key(model: LanguageModel) -> str:
    """The key of alerts about one model, whatever it is called."""
    return f"model:{model.pk}"


def _write(model: LanguageModel, shown: Shown, now: datetime) -> None:
    at = min(shown.at, now) if shown.at else None  # clocks of several machines differ
    fields: dict[str, Any] = {"status": shown.status, "status_why": shown.why, "status_at": at}
    if all(getattr(model, name) == value for name, value in fields.items()):
        return
    LanguageModel.objects.filter(pk=model.pk).update(**fields)
    for name, value in fields.items():
        setattr(model, name, value)
    tell_pages(TOPIC)

"""The queue of models that are being taken on: a batch of jobs that a person asked for, one row each.

The newest batch is the queue. Whoever adds while one of it is open adds to it; once all are ended, the next begins a
new one. Jobs of one connection run one at a time, those of different connections beside each other.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from collections_app.actions.language_model import connection_of
from collections_app.journal import require
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.kinds import EndpointKind, JobState
from probes.jobs import store as jobs
from probes.models import Job
from probes.models.job import OPEN
from probes.onboarding.items import KIND, Item, Mode, check_items, item_of
from probes.onboarding.listings import Lister, load_listing
from probes.onboarding.store import leave_batch

STOPPED: Final = "the queue was stopped before its turn came"
AGAIN: Final = (JobState.NO_ANSWER, JobState.FAILED, JobState.SKIPPED)
"""The ends after which it can be tried again."""


def current_batch() -> str:
    """The name of the newest batch; empty when there is none, or it was cleared."""
    return Job.objects.filter(kind=KIND).exclude(batch="").order_by("-id").values_list("batch", flat=True).first() or ""


def queue() -> QuerySet[Job]:
    """The jobs of the newest batch, in the order asked for."""
    batch = current_batch()
    return (Job.objects.filter(kind=KIND, batch=batch) if batch else Job.objects.none()).order_by("id")


def do_onboard(*, actor: User | None, items: Sequence[Item], now: datetime, lister: Lister | None = None) -> list[Job]:
    """Ask for these models, all or none of them.

    :raises Refused: with every reason against any of them.
    """
    _require(actor)
    problems = Problems()
    endpoints = check_items(items, problems)
    problems.refuse()
    lanes = [lane_of(endpoints[item.endpoint], item.served, now, lister) for item in items]
    with transaction.atomic():
        batch = _open_batch() or f"onboard-{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        return [_enqueue(item, lane, batch, actor, now) for item, lane in zip(items, lanes, strict=True)]


def do_stop(*, actor: User | None, now: datetime) -> int:
    """Skip what waits; what runs goes on to its end. How many were skipped."""
    require(actor, "probes.change_job", "stop the queue")
    return jobs.stop(queue().filter(state=JobState.QUEUED), now, STOPPED)


def do_clear(*, actor: User | None) -> int:
    """Forget the results; jobs and their output stay. How many there were.

    :raises Refused: one of them is open.
    """
    require(actor, "probes.change_job", "clear the queue")
    rows = list(queue())
    if any(job.open for job in rows):
        raise Refused([("", "The queue is not at its end yet; stop it first, and let the running one finish.")])
    return leave_batch(rows)


def do_retry(*, actor: User | None, job_id: int, now: datetime, lister: Lister | None = None) -> Job:
    """Try one again that ended without an answer, from its first step. The new job stands in its place.

    :raises Refused: it did not end so, or the model can no longer be taken on.
    """
    _require(actor)
    former = Job.objects.filter(pk=job_id, kind=KIND).first()
    if former is None:
        raise NotThere([("", "There is no such job.")])
    if former.state not in AGAIN:
        raise Refused([("", f"It is {former.state}; only what ended without an answer is tried again.")])
    return _again(item_of(former), actor, now, lister, former)


def do_retry_model(*, actor: User | None, alias: str, now: datetime, lister: Lister | None = None) -> Job:
    """Try a model again that is on the bench and did not answer. The suite comes as the schedule comes to it.

    :raises Refused: it is retired, or under way already.
    """
    _require(actor)
    model = LanguageModel.objects.filter(alias=alias).select_related("endpoint", "issue__job").first()
    if model is None:
        raise NotThere([("", f"There is no model “{alias}”.")])
    issue = getattr(model, "issue", None)
    former = issue.job if issue is not None else None
    mode = item_of(former).mode if former is not None else (Mode.AD_HOC if model.ad_hoc else Mode.QUICK)
    return _again(Item(model.endpoint.name, model.served, mode), actor, now, lister, former)


def lane_of(endpoint: Endpoint, served: str, now: datetime, lister: Lister | None = None) -> str:
    """The connection whose limits it shares. Behind a hub that does not tell, all of the hub's share one."""
    if endpoint.kind != EndpointKind.HUB:
        return connection_of("", endpoint)
    model = load_listing(endpoint, now, lister=lister).find(served)
    return (connection_of(model.connection, endpoint) if model else "") or f"{endpoint.name}/?"


def _again(item: Item, actor: User | None, now: datetime, lister: Lister | None, former: Job | None) -> Job:
    problems = Problems()
    endpoints = check_items([item], problems, again=True)
    problems.refuse()
    lane = lane_of(endpoints[item.endpoint], item.served, now, lister)
    with transaction.atomic():
        batch = _open_batch() or (former.batch if former else "") or current_batch()
        batch = batch or f"onboard-{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        if former is not None and not former.open:
            leave_batch([former])
        return _enqueue(item, lane, batch, actor, now)


def _open_batch() -> str:
    """The newest batch, where one of it is still open."""
    batch = current_batch()
    return batch if batch and Job.objects.filter(kind=KIND, batch=batch, state__in=OPEN).exists() else ""


def _enqueue(item: Item, lane: str, batch: str, actor: User | None, now: datetime) -> Job:
    payload = {"endpoint": item.endpoint, "served": item.served, "mode": item.mode}
    payload |= {"alias": item.alias} if item.alias else {}
    job = jobs.enqueue(KIND, item.key, now=now, payload=payload, lane=lane, batch=batch, actor=actor)
    if job is None:  # somebody else asked for it a moment ago
        raise Refused([("items", f"{item.served} on {item.endpoint} is under way already.")])
    return job


def _require(actor: User | None) -> None:
    require(actor, "probes.add_job", "take models on")
    require(actor, "collections_app.add_languagemodel", "take models on")

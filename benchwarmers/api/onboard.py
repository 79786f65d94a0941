"""Taking models on: one or many are asked for, and how they stand is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone
from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.body import read_body
from benchwarmers.api.candidates import resolve
from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.jobs.selectors import load_lines
from benchwarmers.operations.onboard.standing import Standing, load_queue
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.kinds import JobState
from probes.models import Job
from probes.onboarding.items import KIND, Item, Mode
from probes.onboarding.queue import do_clear, do_onboard, do_stop
from probes.onboarding.work import STEPS

TAIL: Final = 6000
"""Characters of the output."""
EXITS: Final = {JobState.DONE: 0, JobState.NO_ANSWER: 0, JobState.FAILED: 1, JobState.SKIPPED: 1}


class Wanted(Struct):
    """One model that is to be taken on. Without an endpoint it is on the default one, or `served` ends with
    `@endpoint`."""

    served: str
    endpoint: str = ""
    mode: str = Mode.FULL.value
    alias: str = ""


class Batch(Struct):
    """Several of them, each as one."""

    items: list[dict[str, Any]]


class Nothing(Struct):
    """A body without fields."""


class OnboardView(ApiView):
    """GET and POST /api/onboard."""

    @asks("log")
    def get(self, asked: Asked) -> Response:
        """How one ended, and the end of its output; `log` is what asking for it told."""
        said = asked.get("log", "")
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 19 else 0
        job = Job.objects.filter(pk=number, kind=KIND).first()
        if job is None:
            raise NotThere([("log", "There is no such output of an onboarding.")])
        lines, _before = load_lines(job)
        tail = "".join(f"{line.text}\n" for line in lines)[-TAIL:]
        return self.done(
            done=not job.open,
            exit=_exit(job),
            tail=tail,
            state=job.state,
            note=job.note,
            step=job.step,
            steps=len(STEPS),
        )

    @takes(Wanted)
    def post(self, said: Wanted) -> Response:
        """Ask for one model. It waits for its turn among those of its connection."""
        (job,) = do_onboard(actor=self.person, items=_items([said]), now=timezone.now())
        return self.done(log=str(job.pk), job=job.pk, state=job.state)


class QueueView(ApiView):
    """GET and POST /api/onboard-queue."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """All of the newest batch, in the order asked for."""
        return self.done(**_told())

    @takes(Batch)
    def post(self, said: Batch) -> Response:
        """Ask for several, all or none of them."""
        problems = Problems()
        wanted = []
        for place, one in enumerate(said.items, 1):
            try:
                wanted.append(read_body(one, Wanted))
            except Refused as refused:
                for field, why in refused.problems:
                    problems.add(f"items {place} {field}", why)
        problems.refuse()
        jobs = do_onboard(actor=self.person, items=_items(wanted), now=timezone.now())
        return self.done(queued=[str(job.pk) for job in jobs], **_told())


class StopView(ApiView):
    """POST /api/onboard-queue/stop."""

    @takes(Nothing)
    def post(self, said: Nothing) -> Response:
        """Skip what waits; what runs goes on to its end."""
        return self.done(skipped=do_stop(actor=self.person, now=timezone.now()), **_told())


class ClearView(ApiView):
    """POST /api/onboard-queue/clear."""

    @takes(Nothing)
    def post(self, said: Nothing) -> Response:
        """Forget the results of a queue that is at its end. The output stays."""
        return self.done(cleared=do_clear(actor=self.person), **_told())


def _items(wanted: Sequence[Wanted]) -> list[Item]:
    return [
        Item(endpoint, served, one.mode, one.alias.strip())
        for one in wanted
        for endpoint, served in resolve([one.served], one.endpoint)
    ]


def _told() -> dict[str, Any]:
    queue = load_queue()
    return {
        "running": queue.open,
        "stopping": queue.stopping,
        "share": queue.share,
        "items": [_row(one) for one in queue.rows],
    }


def _row(one: Standing) -> dict[str, Any]:
    told = {
        **{"served": one.item.served, "endpoint": one.item.endpoint, "mode": one.item.mode},
        **{"state": one.job.state, "alias": one.alias, "log": str(one.job.pk)},
        **{"exit": _exit(one.job), "note": one.job.note},
    }
    return told | ({"step": one.step} if one.runs else {})


def _exit(job: Job) -> int | None:
    """As a process would end; None while it is open."""
    return EXITS.get(JobState(job.state))

"""Writes of onboarding: what was put aside, what went wrong, and the marks in the change log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User

from collections_app.announce import tell_pages
from collections_app.journal import journal, require
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Problems
from probes.models import Dismissal, Job, OnboardingIssue

TOPIC = "models"
Name = tuple[str, str]


def do_dismiss(*, actor: User | None, names: Iterable[Name], now: datetime) -> int:
    """Put these candidates, (endpoint, served name), aside; how many were not yet.

    :raises Refused: there are none, or one has no endpoint or no name.
    """
    require(actor, "probes.add_dismissal", "put candidates aside")
    wanted = _checked(names)
    with journal(actor, TOPIC) as log:
        for endpoint, served in wanted:
            _, made = Dismissal.objects.get_or_create(
                endpoint=endpoint, served=served, defaults={"at": now, "by": log.actor_name}
            )
            if made:
                log.note("candidate", f"{served} on {endpoint}", "dismissed", old=None, new=True)
        return len(log.rows)


def do_bring_back(*, actor: User | None, names: Iterable[Name]) -> int:
    """Show these candidates again, and no others; how many had been put aside.

    :raises Refused: there are none, or one has no endpoint or no name.
    """
    require(actor, "probes.delete_dismissal", "bring candidates back")
    wanted = _checked(names)
    with journal(actor, TOPIC) as log:
        for endpoint, served in wanted:
            gone, _ = Dismissal.objects.filter(endpoint=endpoint, served=served).delete()
            if gone:
                log.note("candidate", f"{served} on {endpoint}", "dismissed", old=True, new=None)
        return len(log.rows)


def note_onboarded(actor: User | None, model: LanguageModel, mode: str) -> None:
    """The line in the change log by which a model shows as new, the same in every mode."""
    with journal(actor, TOPIC) as log:
        log.note("model", model.alias, "onboarded", old=None, new=mode)


def keep_issue(model: LanguageModel, job: Job, *, step: str, failure: str, detail: str, now: datetime) -> None:
    """What went wrong, in place of what went wrong before."""
    fields = {"job": job, "at": now, "step": step, "failure": failure, "detail": detail.replace("\0", "\ufffd")[:1000]}
    OnboardingIssue.objects.update_or_create(language_model=model, defaults=fields)
    tell_pages("models")


def clear_issue(model: LanguageModel) -> bool:
    """It answered; whether there was an issue."""
    gone, _ = OnboardingIssue.objects.filter(language_model=model).delete()
    if gone:
        tell_pages("models")
    return bool(gone)


def leave_batch(jobs: Iterable[Job]) -> int:
    """Take these jobs off the queue's page. They and their output stay; how many there were."""
    left: int = Job.objects.filter(pk__in=[job.pk for job in jobs]).update(batch="")
    tell_pages("jobs")
    return left


def _checked(names: Iterable[Name]) -> list[tuple[Endpoint, str]]:
    wanted = list(dict.fromkeys(names))
    problems = Problems()
    problems.check(bool(wanted), "items", "Choose at least one model.")
    endpoints = {row.name: row for row in Endpoint.objects.all()}
    for endpoint, served in wanted:
        problems.check(endpoint in endpoints, "items", f"There is no endpoint “{endpoint}”.")
        problems.check(0 < len(served) <= 200, "items", "A served name has 1 to 200 characters.")
    problems.refuse()
    return [(endpoints[endpoint], served) for endpoint, served in wanted]

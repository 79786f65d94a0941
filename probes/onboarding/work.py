"""The job that takes one model on: five steps, each kept when it is finished, so that whoever takes the job up again
goes on after the last one. Events and rows tell how it stands; nothing is read back out of its output."""

from __future__ import annotations

from typing import Final

from collections_app.models import Endpoint
from collections_app.refusal import Refused
from gateway.canon.kinds import JobState
from probes.jobs.work import Ending, JobAtWork
from probes.onboarding.items import item_of
from probes.onboarding.probe import probe
from probes.onboarding.steps import describe, register, serve, try_suite
from probes.onboarding.taking import GivenUp, Step, Taking, ending_in

STEPS: Final[tuple[tuple[str, str, Step], ...]] = (
    ("served", "Is it served?", serve),
    ("registered", "A place on the bench", register),
    ("described", "What is known of it", describe),
    ("probed", "Does it answer, and what can it do?", probe),
    ("suite", "The suite", try_suite),
)
"""Their names in the job's results, what they are called for people, and who does them."""


def onboard(at_work: JobAtWork, steps: tuple[tuple[str, str, Step], ...] = STEPS) -> Ending:
    """How it ended: `done` with the grade, `no answer` with the provider's words, `failed` with what stood in the
    way."""
    item = item_of(at_work.job)
    endpoint = Endpoint.objects.filter(name=item.endpoint).first()
    if endpoint is None:
        return Ending(JobState.FAILED, f"there is no endpoint {item.endpoint} any more")
    taking = Taking(at_work, item, endpoint)
    for number, (name, words, step) in enumerate(steps, 1):
        if not at_work.finished(name):
            at_work.check()
            at_work.say(f"[{number}/{len(steps)}] {words}")
            try:
                found = step(taking)
            except GivenUp as reason:
                return _failed(at_work, str(reason))
            except Refused as refusal:
                return _failed(at_work, str(refusal))
            at_work.keep(name, found)
        if (ending := ending_in(at_work.found(name))) is not None:
            return ending
    probed, suite = at_work.found("probed"), at_work.found("suite")
    return Ending(JobState.DONE, probed.get("grade") or suite.get("suite", ""))


def _failed(at_work: JobAtWork, why: str) -> Ending:
    at_work.say(why)
    return Ending(JobState.FAILED, why)

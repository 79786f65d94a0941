"""The fourth step: does it answer, and what can it do? Each question is asked once in the life of the job, whatever
process dies in between: what came of it is a row by then."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from collections_app.facts import merge
from collections_app.models import LanguageModel
from gateway.canon.kinds import JobState
from probes.asking import Question, Seen
from probes.health.fan_out import Errand, NotAsked, run_errands
from probes.health.store_abilities import note_ability
from probes.health.store_status import note_sample
from probes.jobs.work import JobAtWork
from probes.models import ProbeSample
from probes.onboarding import grade
from probes.onboarding.advice import advice_for
from probes.onboarding.store import keep_issue
from probes.onboarding.taking import Found, GivenUp, Taking, ends
from probes.store_samples import keep_sample

KIND: Final = "onboarding"
LIMIT: Final = timedelta(seconds=1_200)
NEWS_S: Final = (0.2, 1.1, 2.0)
"""Waits for the catalogue to know the new model: without Redis it may be a second old."""

Asker = Callable[[JobAtWork, LanguageModel, Question], Seen]


def probe(taking: Taking, asker: Asker | None = None) -> Found:
    """Asks, keeps what comes, and grades it. Ends the whole as `no answer` where nothing was answered."""
    model, at_work = taking.registered, taking.at_work
    asked = _Asked(taking, asker or ask_outside)
    for question, often in grade.plain_questions(model.served, _claims(taking, model).get("context_window")):
        for number in range(often):
            if not grade.hopeless(asked.samples):
                asked.put(question, number)
    if not grade.answers(asked.samples):
        return _silent(taking, model, asked.samples)
    for question in grade.graded_questions(_claims(taking, model)):
        asked.put(question, 0)
    said = grade.grade(asked.samples)
    at_work.say(said)
    return {"grade": said}


class _Asked:
    """What was asked in this job so far, and what came of it."""

    def __init__(self, taking: Taking, asker: Asker) -> None:
        self.taking = taking
        self.asker = asker
        model = taking.registered
        self.samples = list(ProbeSample.objects.filter(job=taking.at_work.job, language_model=model).order_by("id"))
        self._left = Counter(sample.prompt for sample in self.samples)
        first: datetime = self.samples[0].at if self.samples else taking.now
        self._until = first + LIMIT
        self._told = False

    def put(self, question: Question, number: int) -> None:
        """Ask it, unless its `number`th asking is done, or the step's time is up."""
        if self._left[question.name] > number:
            return
        at_work, model = self.taking.at_work, self.taking.registered
        at_work.check()
        if self.taking.now >= self._until:
            if not self._told:
                at_work.say(f"the time for questions is up after {LIMIT.seconds // 60} minutes; graded by what came")
            self._told = True
            return
        seen = self.asker(at_work, model, question)
        sample = keep_sample(seen, KIND, at_work.job, at=self.taking.now)
        note_sample(model, sample, self.taking.now)
        note_ability(model, seen, self.taking.now)
        self.samples.append(sample)
        self._left[question.name] += 1
        at_work.say(grade.tell(sample))


def ask_outside(at_work: JobAtWork, model: LanguageModel, question: Question) -> Seen:
    """One paced call, in the ledger. Raises GivenUp when the model is gone or retired."""
    came: list[Seen | NotAsked] = []
    for wait in (*NEWS_S, 0.0):
        run_errands(at_work, [Errand(model.pk, model.alias, question)], came.append)
        if came and isinstance(last := came[-1], Seen):
            return last
        time.sleep(wait)
    why = came[-1].why if came and isinstance(came[-1], NotAsked) else "it was not asked"
    raise GivenUp(f"{model.alias}: {why}")


def _silent(taking: Taking, model: LanguageModel, samples: list[ProbeSample]) -> Found:
    """It stays on the bench, where the daily probe goes on asking it."""
    found = grade.trouble(samples)
    advice = advice_for(found.failure)
    keep_issue(model, taking.at_work.job, step="probed", failure=found.failure, detail=found.words, now=taking.now)
    taking.at_work.say(f"no answer: {advice.label}. {advice.next}")
    return ends(JobState.NO_ANSWER, f"{advice.label}: {found.words}", failure=found.failure)


def _claims(taking: Taking, model: LanguageModel) -> dict[str, Any]:
    """What the facts, or where they say nothing the listing, claim that it can do."""
    listed = taking.at_work.found("served") or {}
    said = {field: listed[field] for field in ("tools", "structured_output", "reasoning") if field in listed}
    if "image" in listed.get("inputs", ()):
        said["vision"] = True
    said["context_window"] = listed.get("context_window")
    facts, _ = merge(model.facts.all())
    return {**said, **facts}

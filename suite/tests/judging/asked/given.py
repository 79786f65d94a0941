"""Answers whose claims are known to be true or false, and a judge who errs as often as is said."""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial
from typing import Any

from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome, TaskShape
from probes.jobs.run import run_job
from probes.models import Job
from probes.tests.jobs.given import NOW, Clock, known
from probes.tests.sweeps.provider import says
from suite.asking import score_answer
from suite.drafts import Draft
from suite.judging import work
from suite.judging.begin import begin
from suite.models import Attempt
from suite.store import begin_pass, keep_answer, keep_task
from suite.tests.asking.passing import HASTY

KEY = {"must_find": ["the handle leaks"], "must_not_claim": ["the lock is taken twice"]}
NUMBERED = re.compile(r"THE CLAIM\n(.*) in place (\d+)")


def claims_of(number: int) -> str:
    """An answer with three claims that are true by the key, three that are false by it, and six in free words, of which
    the sound ones, one of three, are true."""
    three, six = range(3 * number, 3 * number + 3), range(6 * number, 6 * number + 6)
    lines = [f"- The handle leaks in place {at}" for at in three]
    lines += [f"- The lock is taken twice in place {at}" for at in three]
    lines += [f"- The buffer is {'hollow' if at % 3 else 'sound'} in place {at}" for at in six]
    return "\n".join(lines)


def answered(model: LanguageModel, answers: int) -> None:
    """So many answers of the model to one task."""
    draft = Draft("review", "A review", TaskShape.FINDING, "Review it.", KEY)
    task, _ = keep_task(draft, by="maya", now=NOW, reviewed=True)
    version = task.versions.get(current=True)
    one = begin_pass("manual", [version], [model], by="maya", now=NOW, repetitions=answers)
    for attempt in Attempt.objects.filter(suite_pass=one).select_related("version__task"):
        text = claims_of(attempt.number - 1)
        keep_answer(attempt, AttemptOutcome.ANSWERED, score_answer(attempt.version, text), answer=text, at=NOW)


def erring(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Calls every tenth true claim false and every fifth false claim true."""
    found = NUMBERED.search(question)
    assert found is not None, question
    true, at = "leaks" in found[1] or "sound" in found[1], int(found[2])
    said = at % 10 != 0 if true else at % 5 == 0
    return says(f"{str(said).upper()}\nBecause it is so.")


def judging(model: LanguageModel, what: str, most: int = 1000, now: datetime = NOW) -> Job:
    """The judge's job after a claim of it."""
    job = begin(model, what, most, by="maya", now=now)
    assert job is not None
    return again(job, now)


def again(job: Job, now: datetime = NOW) -> Job:
    with known(**{"suite-judge": partial(work.judge, manner=HASTY)}):
        run_job(job.pk, Clock(now))
    return Job.objects.get(pk=job.pk)

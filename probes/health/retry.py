"""One call to a model because somebody wants to know now whether it answers. An answer counts like that of a sweep and
ends the model's countdown at once; a failure is told to whoever asked, and held against nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from collections_app.models import LanguageModel
from gateway.canon.kinds import JobState
from probes.asking import Seen, ask_one
from probes.health.store_status import note_sample
from probes.jobs.work import Ending, JobAtWork
from probes.models import ProbeSample
from probes.questions import TINY
from probes.side import side
from probes.store_samples import keep_sample

KIND: Final = "retry"
ROOM_S: Final = 60.0
"""How long a limit may hold the call back: somebody waits."""
MOST_WORDS: Final = 200

Asker = Callable[[str], Seen]
"""Asks the model of this alias. Raises LookupError where there is none."""


def retry(at_work: JobAtWork) -> Ending:
    """The job. Its payload names the `model` by id."""
    return retry_by(at_work, lambda alias: side().with_bench(lambda bench: ask_one(bench, alias, TINY, room_s=ROOM_S)))


def retry_by(at_work: JobAtWork, ask: Asker) -> Ending:
    """The same, asked in this way."""
    model = LanguageModel.objects.filter(pk=at_work.payload["model"]).first()
    if model is None or model.retired:
        return Ending(JobState.SKIPPED, "the model is retired by now, or gone")
    kept = ProbeSample.objects.filter(job=at_work.job).first()
    if kept is not None:
        return Ending(JobState.DONE, f"{model.alias} answered in {kept.seconds:.1f} s")
    at_work.check()
    try:
        came = ask(model.alias)
    except LookupError:
        return Ending(JobState.SKIPPED, "the model has another name by now, or is gone")
    if not came.answered:
        return Ending(JobState.NO_ANSWER, f"{came.failure}: {came.detail}"[:MOST_WORDS])
    now = at_work.clock()
    note_sample(model, keep_sample(came, KIND, at_work.job, at=now), now)
    return Ending(JobState.DONE, f"{model.alias} answered in {came.seconds:.1f} s")

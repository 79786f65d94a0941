"""The sweep that notices when another model answers under a model's name: a look at each, compared with those before.

A look that is clearly outside what the model has done before is followed by a second one at once; only when both say so
is the model taken to be another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.db.models import Count

from collections_app.models import LanguageModel
from gateway.canon.kinds import JobState
from gateway.engine.snapshot import ModelView
from probes.asking import Seen
from probes.health.compare import Compared, Look, compare, has_changed
from probes.health.fan_out import Errand, Manner, NotAsked, run_errands
from probes.health.looks import QUESTIONS, look_of
from probes.health.store_looks import keep_look, load_looks, note_change
from probes.health.sweeps import RunErrands, to_ask
from probes.jobs.work import Ending, JobAtWork
from probes.models import ProbeSample

CALLS: Final = len(QUESTIONS)


def sweep(at_work: JobAtWork, errands: RunErrands = run_errands) -> Ending:
    """A look at every model, and a second at those that seem to have changed. `errands` is the way out."""
    models = to_ask(at_work)
    if not models:
        return Ending(JobState.SKIPPED, "there is no model to look at")
    looking = _Looking(at_work, len(models), errands)
    kept = looking.kept()
    looking.look_at([model for model in models if kept[model.id] < CALLS])
    again = [model for model in models if looking.is_suspicious(model.id)]
    for model in again:
        at_work.say(f"{model.alias}: unlike before; looked at again")
    looking.look_at([model for model in again if looking.kept()[model.id] == CALLS])
    changed = sum(looking.judge(model.id) for model in again)
    return Ending(JobState.DONE, f"{looking.looked} of {len(models)} models looked at, {changed} changed")


class _Looking:
    """The sweep under way. A look is kept whole or not at all; its samples say how far the job has come."""

    def __init__(self, at_work: JobAtWork, total: int, errands: RunErrands) -> None:
        self._errands = errands
        self.at_work = at_work
        self.total = total
        self._parts: dict[int, list[Seen]] = {}

    @property
    def looked(self) -> int:
        """How many models this job has looked at."""
        return sum(calls >= CALLS for calls in self.kept().values())

    def kept(self) -> Counter[int]:
        """How many calls of kept looks this job has made, by the model's id."""
        rows = ProbeSample.objects.filter(job=self.at_work.job).order_by().values_list("language_model_id")
        return Counter(dict(rows.annotate(n=Count("pk"))))

    def look_at(self, models: Sequence[ModelView]) -> None:
        """One look at each of these."""
        self._parts.clear()
        errands = [Errand(model.id, model.alias, question) for model in models for question in QUESTIONS]
        self._errands(self.at_work, errands, self._take, Manner(whole=True))

    def is_suspicious(self, model_id: int) -> bool:
        """Is the first look of this job at the model unlike those before?"""
        compared = [one for one in self._compared(model_id) if one is not None]
        return bool(compared) and compared[0].suspicious

    def judge(self, model_id: int) -> bool:
        """Whether both looks say that it is another model; told and written down if so."""
        model = LanguageModel.objects.filter(pk=model_id).first()
        compared = [one for one in self._compared(model_id) if one is not None]
        if model is None or len(compared) < 2 or not has_changed(compared[0], compared[1]):
            return False
        note_change(model, compared[1], self.at_work.clock())
        self.at_work.say(f"{model.alias}: another model answers under this name")
        return True

    def _compared(self, model_id: int) -> list[Compared | None]:
        """The looks of this job at the model, each against those from before the job."""
        made = self.kept()[model_id] // CALLS
        looks = load_looks(model_id)
        before, mine = looks[: len(looks) - made], looks[len(looks) - made :]
        return [compare(look, before) for look in mine]

    def _take(self, came: Seen | NotAsked) -> None:
        if isinstance(came, NotAsked):
            self.at_work.say(f"{came.errand.alias}, {came.errand.question.name}: {came.why}")
            return
        if not came.answered or came.refusal:
            self.at_work.say(f"{came.alias}, {came.prompt}: {came.failure or 'it declined to answer'}: {came.detail}")
            return
        parts = self._parts.setdefault(came.model_id, [])
        parts.append(came)
        look = look_of(parts) if len(parts) == CALLS else None
        if look is not None:
            self._keep(came.model_id, look, parts)

    def _keep(self, model_id: int, look: Look, parts: Sequence[Seen]) -> None:
        model = LanguageModel.objects.filter(pk=model_id).first()
        if model is None:
            return
        before = load_looks(model_id)
        made = self.kept()[model_id] // CALLS
        compared = compare(look, before[: len(before) - made])
        keep_look(model, look, parts, self.at_work.job, self.at_work.clock(), compared)
        self.at_work.progress(self.looked, self.total)

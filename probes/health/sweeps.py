"""The regular sweeps over every model: who answers, how fast, and who can do what. Each is one job.

Every answer is kept as it comes, with the job, so that a sweep that is taken up again asks only what it has not asked
yet. Models that are believed dead are asked too: that is how their recovery is noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from django.db.models import Count
from msgspec import Struct

from collections_app.models import LanguageModel
from gateway.canon.kinds import JobState, ModelRole
from gateway.engine.bench import Bench
from gateway.engine.loading import load_snapshot
from gateway.engine.snapshot import ModelView
from probes.asking import Question, Seen
from probes.health.fan_out import Errand, Manner, NotAsked, run_errands
from probes.health.store_abilities import note_ability
from probes.health.store_status import note_sample
from probes.jobs.work import Ending, JobAtWork
from probes.models import ProbeSample
from probes.questions import IMAGE, LARGE, REASONING, SCHEMA, TINY, TOOLS
from probes.store_samples import keep_sample

GAP_S: Final = 5.0
"""Between two questions about abilities to one connection: they are no hurry, and callers come first."""
SPEED_TIMES: Final = 3
FREE: Final = ":free"

Wanted = list[tuple[Question, int]]
Choose = Callable[[ModelView], Wanted]
RunErrands = Callable[[JobAtWork, Iterable[Errand], Callable[[Seen | NotAsked], None], Manner], None]


class Sweep(Struct, frozen=True):
    """What a sweep asks. `kind` is that of its samples; `choose` says what a model is asked, and how many times.
    `errands` is the way out."""

    kind: str
    choose: Choose
    manner: Manner = Manner()
    errands: RunErrands = run_errands


def availability(at_work: JobAtWork) -> Ending:
    """One short question to every model."""
    return run_sweep(at_work, AVAILABILITY)


def speed(at_work: JobAtWork) -> Ending:
    """A short and a large question, three times each; once where each call counts against a day's few."""
    return run_sweep(at_work, Sweep("speed", _timed))


def capabilities(at_work: JobAtWork) -> Ending:
    """What each model can do: tools, documents of a schema, reasoning, pictures. Those that rest are left in peace."""
    return run_sweep(at_work, Sweep("capability", _abilities, CAREFUL))


def run_sweep(at_work: JobAtWork, sweep: Sweep) -> Ending:
    """Asks what is left to ask, and tells how many models answered. The payload's `models`, a list of ids, narrows it
    to those."""
    return _Sweeping(at_work, sweep).run()


def to_ask(at_work: JobAtWork) -> list[ModelView]:
    """The models that a sweep is about, by alias. Scripted ones prove nothing, models that draw would draw for money,
    and those that went paid are not called; the last are told in the job's output."""
    only = at_work.payload.get("models")
    paid = set(LanguageModel.objects.exclude(went_paid_at=None).filter(allow_paid=False).values_list("pk", flat=True))
    asked = []
    for alias, model in sorted(load_snapshot().models.items()):
        if model.retired or model.ad_hoc or model.scripted or model.role == ModelRole.IMAGE:
            continue
        if only is not None and model.id not in only:
            continue
        if model.id in paid:
            at_work.say(f"{alias}: not asked: it costs money now, and nobody has allowed that")
            continue
        asked.append(model)
    return asked


def _timed(model: ModelView) -> Wanted:
    times = 1 if model.served.endswith(FREE) else SPEED_TIMES
    return [(TINY, times), (LARGE, times)]


def _abilities(model: ModelView) -> Wanted:
    seeing = [] if model.vision is False else [(IMAGE, 1)]
    return [(TOOLS, 1), (SCHEMA, 1), (REASONING, 1), *seeing]


def _resting(bench: Bench, alias: str) -> str:
    until = bench.recency.resting(bench.catalogue.latest.cooling).get(alias, 0.0)
    left = until - bench.clock().timestamp()
    return f"not asked: it rests for another {left:.0f} s" if left > 0 else ""


CAREFUL: Final = Manner(gap_s=GAP_S, hinders=_resting)
AVAILABILITY: Final = Sweep("availability", lambda model: [(TINY, 1)])


class _Sweeping:
    """A sweep under way."""

    def __init__(self, at_work: JobAtWork, sweep: Sweep) -> None:
        self.at_work = at_work
        self.sweep = sweep
        self.done = 0
        self.total = 0

    def run(self) -> Ending:
        models = to_ask(self.at_work)
        if not models:
            return Ending(JobState.SKIPPED, "there is no model to ask")
        errands = self._left(models)
        self.at_work.progress(self.done, self.total)
        self.sweep.errands(self.at_work, errands, self.keep, self.sweep.manner)
        return Ending(JobState.DONE, self._summary(models))

    def keep(self, came: Seen | NotAsked) -> None:
        """Takes in what came of a question, in the job's own thread."""
        if isinstance(came, NotAsked):
            self.done += came.times
            self.at_work.say(f"{came.errand.alias}, {came.errand.question.name}: {came.why}")
        else:
            self.done += 1
            self._keep_seen(came)
        self.at_work.progress(self.done, self.total)

    def _keep_seen(self, seen: Seen) -> None:
        model, now = LanguageModel.objects.filter(pk=seen.model_id).first(), self.at_work.clock()
        if model is None:
            return
        note_sample(model, keep_sample(seen, self.sweep.kind, self.at_work.job, at=now), now)
        ability = note_ability(model, seen, now) if self.sweep.kind == "capability" else ""
        if not seen.answered:
            self.at_work.say(f"{seen.alias}, {seen.prompt}: {seen.failure}: {seen.detail}")
        elif seen.refusal:
            self.at_work.say(f"{seen.alias}, {seen.prompt}: it declined to answer")
        elif ability:
            self.at_work.say(f"{seen.alias}: {ability}")

    def _left(self, models: Iterable[ModelView]) -> list[Errand]:
        """What this job has not asked yet. Counts what it has."""
        rows = ProbeSample.objects.filter(job=self.at_work.job).order_by()
        had = Counter(
            {
                (pk, prompt): n
                for pk, prompt, n in rows.values_list("language_model_id", "prompt").annotate(n=Count("pk"))
            }
        )
        errands = []
        for model in models:
            for question, times in self.sweep.choose(model):
                asked = min(had[model.id, question.name], times)
                self.done, self.total = self.done + asked, self.total + times
                if asked < times:
                    errands.append(Errand(model.id, model.alias, question, times - asked))
        return errands

    def _summary(self, models: list[ModelView]) -> str:
        rows = ProbeSample.objects.filter(job=self.at_work.job)
        answered = rows.filter(answered=True).order_by().values("language_model_id").distinct().count()
        return f"{answered} of {len(models)} models answered"

"""Attempts become calls, and what comes of them becomes rows: paced, in the ledger with the purpose `suite`, each
answer scored as it is kept. A pass that is taken up again asks only what has no outcome yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.event import Usage
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AttemptOutcome, TaskShape
from gateway.engine.bench import Bench
from gateway.engine.loading import load_snapshot
from gateway.engine.prices import cost_of
from probes.asking import Question, Seen
from probes.health.fan_out import Errand, Manner, NotAsked, run_errands
from probes.jobs.store import clean
from probes.jobs.work import JobAtWork, Stopped
from probes.questions import ask
from suite.keys import Key, read_key
from suite.models import Attempt, SuitePass, TaskVersion
from suite.needles.room import no_room
from suite.needles.text import CannotShow, shown
from suite.scoring import Scored, score
from suite.store import end_pass, keep_answer, keep_why_not, reopen_pass

NOT_ASKED: Final = "not asked"
_OUTCOMES: Final = {FailureClass.TIMEOUT: AttemptOutcome.TIMEOUT, FailureClass.EMPTY: AttemptOutcome.EMPTY}


def _guarded(bench: Bench, alias: str) -> str:
    """Why the model is not called although it is there: it went paid, maybe since the pass began."""
    model = bench.catalogue.latest.models.get(alias)
    return model.guarded_why if model is not None else ""


COURTEOUS: Final = Manner(gap_s=2.0, purpose="suite", retries=2, hinders=_guarded)
"""Two seconds pass between two calls to one connection: callers come first."""


def run_pass(at_work: JobAtWork, one: SuitePass, manner: Manner = COURTEOUS) -> Counter[str]:
    """Asks what is left of the pass; how often each outcome came, over all of it. Raises what `check` of the job
    raises; a pass that was stopped has ended, one that another process goes on with has not."""
    asking = _Asking(at_work, one)
    if asking.waiting:
        reopen_pass(one)
        try:
            run_errands(at_work, asking.errands(), asking.keep, manner)
        except Stopped:
            end_pass(one, at_work.clock())
            raise
    if asking.waiting or one.ended_at is None:
        end_pass(one, at_work.clock())
    outcomes = Attempt.objects.filter(suite_pass=one).values_list("outcome", flat=True)
    return Counter(outcome or NOT_ASKED for outcome in outcomes)


class _Asking:
    """A pass under way."""

    def __init__(self, at_work: JobAtWork, one: SuitePass) -> None:
        self.at_work = at_work
        self.seconds = one.timeout_s
        attempts = Attempt.objects.filter(suite_pass=one)
        rows = attempts.filter(outcome="").select_related("language_model").order_by("number", "version_id", "id")
        self.waiting = {str(row.pk): row for row in rows}
        # A pass may have thousands of attempts at a few long texts: each text is held once.
        self.versions = _versions(self.waiting.values())
        self.asks: dict[int, Ask] = {}
        self.unshown: dict[int, str] = {}
        for pk, version in self.versions.items():
            try:
                self.asks[pk] = ask(shown(version))
            except CannotShow as problem:
                self.unshown[pk] = str(problem)
        self.views = {view.id: view for view in load_snapshot().models.values()}
        self.total = attempts.count()
        self.done = self.total - len(self.waiting)

    def errands(self) -> list[Errand]:
        """A question for each attempt that waits. What cannot be shown any more is kept as an error with why; what a
        model's window is not known to hold is not asked."""
        return [self._errand(name, attempt) for name, attempt in self.waiting.items() if not self._hindered(attempt)]

    def _hindered(self, attempt: Attempt) -> bool:
        version, view = self.versions[attempt.version_id], self.views.get(attempt.language_model_id)
        if why := self.unshown.get(version.pk, ""):
            keep_answer(attempt, AttemptOutcome.ERROR, None, detail=why[:300], at=self.at_work.clock())
            self._say(attempt, AttemptOutcome.ERROR, why)
        elif view is not None and (why := no_room(view, version)):
            keep_why_not(attempt, why)
            self._say(attempt, NOT_ASKED, why)
        self.done += bool(why)
        return bool(why)

    def _errand(self, name: str, attempt: Attempt) -> Errand:
        model, version = attempt.language_model, attempt.version_id
        least = key_of(self.versions[version]).min_answer_chars
        return Errand(model.pk, model.alias, Question(name, self.asks[version], self.seconds, least))

    def keep(self, came: Seen | NotAsked) -> None:
        """Takes in what came of an attempt, in the job's own thread."""
        self.done += 1
        if isinstance(came, NotAsked):
            attempt = self.waiting[came.errand.question.name]
            keep_why_not(attempt, came.why)
            self._say(attempt, NOT_ASKED, came.why)
        else:
            self._keep_seen(self.waiting[came.prompt], came)
        self.at_work.progress(self.done, self.total)

    def _keep_seen(self, attempt: Attempt, came: Seen) -> None:
        outcome, version = outcome_of(came), self.versions[attempt.version_id]
        used = Usage(came.tokens_in or 0, came.tokens_out or 0, reasoning=came.reasoning or 0)
        view = self.views.get(attempt.language_model_id)
        prices = view.prices if view is not None else {}
        answer, detail = str(clean(came.text)), str(clean(came.detail))
        keep_answer(
            attempt,
            outcome,
            score_answer(version, answer) if outcome is AttemptOutcome.ANSWERED else None,
            failure=came.failure,
            detail=detail,
            answer=answer,
            tries=came.tries,
            seconds=came.seconds,
            first_token_s=came.first_token_s,
            tokens_in=came.tokens_in,
            tokens_out=came.tokens_out,
            cost=None if came.tokens_in is None else cost_of(prices, used),
            at=self.at_work.clock(),
        )
        if outcome is not AttemptOutcome.ANSWERED:
            self._say(attempt, outcome, detail)

    def _say(self, attempt: Attempt, what: str, why: str) -> None:
        slug = self.versions[attempt.version_id].task.slug
        self.at_work.say(f"{attempt.language_model.alias}, {slug}: {what}{f': {why}' if why else ''}")


def _versions(attempts: Iterable[Attempt]) -> dict[int, TaskVersion]:
    return TaskVersion.objects.select_related("task").in_bulk({attempt.version_id for attempt in attempts})


def outcome_of(came: Seen) -> AttemptOutcome:
    """How the model took the task, from how the call ended."""
    if came.refusal:
        return AttemptOutcome.REFUSED
    if not came.failure:
        return AttemptOutcome.ANSWERED
    return _OUTCOMES.get(FailureClass(came.failure), AttemptOutcome.ERROR)


def score_answer(version: TaskVersion, answer: str) -> Scored:
    """By the key of the version that was asked."""
    task = version.task
    return score(key_of(version), TaskShape(task.shape), control=task.control, answer=answer)


def key_of(version: TaskVersion) -> Key:
    """The version's key."""
    return _key(msgspec.json.encode(version.key))


@lru_cache(maxsize=4096)
def _key(encoded: bytes) -> Key:
    return read_key(msgspec.json.decode(encoded))

"""Attempts become calls, and what comes of them becomes rows: paced, in the ledger with the purpose `suite`, each
answer scored as it is kept. A pass that is taken up again asks only what has no outcome yet.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

import msgspec

from gateway.canon.event import Usage
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AttemptOutcome, TaskShape
from gateway.engine.loading import load_snapshot
from gateway.engine.prices import cost_of
from probes.asking import Question, Seen
from probes.health.fan_out import Errand, Manner, NotAsked, run_errands
from probes.jobs.work import JobAtWork
from probes.questions import ask
from suite.keys import Key, read_key, whole_prompt
from suite.models import Attempt, SuitePass, TaskVersion
from suite.scoring import Scored, score
from suite.store import end_pass, keep_answer

COURTEOUS: Final = Manner(gap_s=2.0, purpose="suite", retries=2)
"""Two seconds pass between two calls to one connection: callers come first."""
_OUTCOMES: Final = {FailureClass.TIMEOUT: AttemptOutcome.TIMEOUT, FailureClass.EMPTY: AttemptOutcome.EMPTY}


def run_pass(at_work: JobAtWork, one: SuitePass, manner: Manner = COURTEOUS) -> Counter[str]:
    """Asks what is left of the pass; how often each outcome came, over all of it."""
    waiting = list(
        Attempt.objects.filter(suite_pass=one, outcome="")
        .select_related("version__task", "language_model")
        .order_by("number", "version_id", "id")
    )
    total = Attempt.objects.filter(suite_pass=one).count()
    by_name = {str(attempt.pk): attempt for attempt in waiting}
    prices = {view.id: view.prices for view in load_snapshot().models.values()}
    done = total - len(waiting)

    def keep(came: Seen | NotAsked) -> None:
        nonlocal done
        done += 1
        if isinstance(came, NotAsked):
            attempt = by_name[came.errand.question.name]
            keep_answer(attempt, AttemptOutcome.ERROR, None, detail=came.why[:300], at=at_work.clock())
        else:
            attempt = by_name[came.prompt]
            _keep_seen(attempt, came, prices.get(attempt.language_model_id, {}), at_work)
        at_work.progress(done, total)

    run_errands(at_work, [_errand(attempt, one.timeout_s) for attempt in waiting], keep, manner)
    end_pass(one, at_work.clock())
    outcomes = Attempt.objects.filter(suite_pass=one).values_list("outcome", flat=True)
    return Counter(outcomes)


def _errand(attempt: Attempt, seconds: float) -> Errand:
    model, version = attempt.language_model, attempt.version
    least = key_of(version).min_answer_chars
    question = Question(str(attempt.pk), ask(whole_prompt(version.prompt, version.attachments)), seconds, least)
    return Errand(model.pk, model.alias, question)


def _keep_seen(attempt: Attempt, came: Seen, prices: dict[str, float], at_work: JobAtWork) -> None:
    outcome = outcome_of(came)
    scored = score_answer(attempt.version, came.text) if outcome is AttemptOutcome.ANSWERED else None
    used = Usage(came.tokens_in or 0, came.tokens_out or 0, reasoning=came.reasoning or 0)
    keep_answer(
        attempt,
        outcome,
        scored,
        failure=came.failure,
        detail=came.detail,
        answer=came.text.replace("\0", "\ufffd"),
        seconds=came.seconds,
        first_token_s=came.first_token_s,
        tokens_in=came.tokens_in,
        tokens_out=came.tokens_out,
        cost=None if came.tokens_in is None else cost_of(prices, used),
        at=at_work.clock(),
    )


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

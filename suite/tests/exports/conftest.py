"""Two models, three tasks, and one answer of each kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from collections_app.tests.world import World, make_world
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.asking import score_answer
from suite.drafts import Draft, bug_key
from suite.models import Attempt, Task, TaskVersion
from suite.store import begin_pass, keep_answer, keep_task

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
BUG = Draft(
    "bug-1",
    "A bug",
    TaskShape.SEEDED,
    "Find it.",
    bug_key((3,)),
    [{"name": "a.py", "text": "3 | x"}],
    origin="seeded",
    language="python",
    mutation="compare",
    contamination="Public since 2026-01-01.",
)
FINDING = Draft(
    "finding-1",
    "A finding",
    TaskShape.FINDING,
    "What leaks?",
    {"must_find": ["the handle", {"any_of": ["the lock", "the latch"]}], "must_not_claim": ["deadlock"]},
)
HIDDEN = Draft("hidden-1", "A draft", TaskShape.FINDING, "Hidden?", {"must_find": ["yes"]})


@pytest.fixture
def world() -> World:
    """`fast` answered well and once less well, `slow` refused, failed and gave an answer to a draft."""
    world = make_world()
    for draft in (BUG, FINDING, HIDDEN):
        keep_task(draft, by="maya", now=NOW, reviewed=draft is not HIDDEN)
    versions = list(TaskVersion.objects.order_by("task__slug"))
    for repetition, at in enumerate((NOW, NOW + timedelta(days=1))):
        began = begin_pass("manual", versions, [world.model("fast"), world.model("slow")], by="maya", now=at)
        for attempt in Attempt.objects.filter(suite_pass=began).select_related("version__task", "language_model"):
            _answer(attempt, repetition, at)
    return world


def _answer(attempt: Attempt, repetition: int, at: datetime) -> None:
    model, task = attempt.language_model.alias, attempt.version.task.slug
    if model == "slow" and task == "bug-1":
        keep_answer(attempt, AttemptOutcome.REFUSED, None, answer="I cannot.", failure="other", at=at)
    elif model == "slow" and task == "finding-1":
        keep_answer(attempt, AttemptOutcome.TIMEOUT, None, failure="timeout", detail="no end", at=at)
    else:
        good = {
            "bug-1": "FAULT: line 3\nIt is off.",
            "finding-1": "The handle \u2028leaks, and the latch too, no deadlock.",
        }
        text = good.get(task, "yes, as far as one can see from what is shown")
        text = text if repetition == 0 else "It is a deadlock of the handle, as everybody can see here."
        spent = {"seconds": 2.5, "tokens_in": 100, "tokens_out": 10, "cost": 2_000_000}
        keep_answer(attempt, AttemptOutcome.ANSWERED, score_answer(attempt.version, text), answer=text, at=at, **spent)


def drop(slug: str) -> None:
    """The task counts no more."""
    Task.objects.filter(slug=slug).update(dropped=True)

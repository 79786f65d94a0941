"""Tasks and answers in a line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.asking import score_answer
from suite.drafts import Draft, bug_key, control_key, numbered
from suite.models import Attempt, Task
from suite.store import begin_pass, end_pass, keep_answer, keep_task

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CODE = "def total(items):\n    count = 0\n    for item in items:\n        count += item\n    return count"
CHANGED = CODE.replace("+=", "-=")


def add_claim(slug: str = "a-claim", *, reviewed: bool = True, true: bool = False, **fields: Any) -> Task:
    """A claim, false unless said otherwise."""
    right, wrong = ("verdict: true", "verdict: false") if true else ("verdict: false", "verdict: true")
    key = {"must_find": [right], "must_not_claim": [wrong], "score_in": "first_line", "min_answer_chars": 10}
    said = {
        "title": f"Claim {slug}",
        "prompt": "It subtracts.",
        "key": key,
        "attachments": [{"name": "total.py", "text": CODE}],
        "why": "Line 4 adds.",
    }
    draft = Draft(slug=slug, shape=TaskShape.CLAIM, **{**said, **fields})
    return keep_task(draft, by="maya", now=NOW, reviewed=reviewed)[0]


def add_pair(name: str = "total", *, reviewed: bool = True) -> tuple[Task, Task]:
    """(bug, control): a planted change at line 4, seeded, in Python."""
    made = []
    for end, key, text in (("bug", bug_key((4,)), CHANGED), ("control", control_key(), CODE)):
        draft = Draft(
            slug=f"{name}-{end}",
            title=f"{'Nothing' if end == 'control' else 'A change'} in {name}",
            shape=TaskShape.SEEDED,
            prompt="Was it changed?",
            key=key,
            attachments=[{"name": "total.py", "text": numbered(text)}],
            why="augassign at line 4.",
            origin="seeded",
            language="python",
            mutation="" if end == "control" else "augassign",
            pair=f"{name}-{'bug' if end == 'control' else 'control'}",
            control=end == "control",
        )
        made.append(keep_task(draft, by="maya", now=NOW, reviewed=reviewed)[0])
    return made[0], made[1]


def answer(says: Mapping[str, str], *tasks: Task, days: int = 0, **fields: Any) -> list[Attempt]:
    """Each model (alias: its words) answers each of the tasks in one pass; no words are a time-out."""
    at = NOW + timedelta(days=days)
    versions = [task.versions.get(current=True) for task in tasks]
    models = list(LanguageModel.objects.filter(alias__in=says))
    one = begin_pass("manual", versions, models, by="maya", now=at)
    common = {"seconds": 2.0, "cost": 3_000_000, "tokens_in": 900, "tokens_out": 80, "at": at, **fields}
    for attempt in one.attempts.select_related("version__task", "language_model"):
        words = says[attempt.language_model.alias]
        scored = score_answer(attempt.version, words) if words else None
        outcome = AttemptOutcome.ANSWERED if words else AttemptOutcome.TIMEOUT
        keep_answer(attempt, outcome, scored, answer=words, **common)
    end_pass(one, at)
    return list(one.attempts.select_related("language_model", "version__task").order_by("id"))

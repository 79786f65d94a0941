"""Tasks of the suite, passes over them, answers and their scores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import answers, sentence
from collections_app.models import LanguageModel
from gateway.canon.kinds import TaskShape
from suite.drafts import bug_key, control_key
from suite.keys import digest_of
from suite.models import Attempt, Score, SuitePass, Task, TaskVersion
from suite.scoring import SCORER

CODE = "\n".join(f"{number:4d}  value_{number} = read(value_{number})" for number in range(1, 90))
SHAPES = (TaskShape.SEEDED, TaskShape.SEEDED, TaskShape.CLAIM, TaskShape.FINDING, TaskShape.REAL)


def pour_suite(house: House) -> None:
    """Tasks in pairs of a bug and its control; each pass asks some of them of some models."""
    versions = _pour_tasks(house)
    _pour_attempts(house, versions)


def _pour_tasks(house: House) -> list[tuple[int, bool]]:
    """(id of the version, control) of each task that is no draft."""
    made = house.now - timedelta(days=100)
    tasks: list[tuple[Any, ...]] = []
    versions: list[tuple[Any, ...]] = []
    kept: list[tuple[int, bool]] = []
    for number in range(1, house.amounts.tasks + 1):
        control, draft = number % 2 == 0, number % 15 == 0
        shape = SHAPES[number // 2 % len(SHAPES)].value
        slug, pair = f"seeded-task-{number:04d}", f"seeded-task-{number + (-1 if control else 1):04d}"
        language = ("python", "go", "typescript")[number % 3]
        tasks.append((number, slug, sentence(house.rng, 6), shape, "seeded", language, pair, control, draft, made))
        key = control_key() if control else bug_key((4,))
        prompt, shown = f"Was it changed? {sentence(house.rng, 12)}", [{"name": "a.py", "text": CODE}]
        versions.append((number, number, digest_of(prompt, shown, key), prompt, shown, key, "Line 4 adds.", made))
        if not draft:
            kept.append((number, control))
    columns = ("id", "slug", "title", "shape", "origin", "language", "pair", "control", "draft", "created_at")
    pour(Task, columns, tasks)
    pour(TaskVersion, ("id", "task", "digest", "prompt", "attachments", "key", "why", "made_at"), versions)
    return kept


def _pour_attempts(house: House, versions: list[tuple[int, bool]]) -> None:
    rng, amounts, ids = house.rng, house.amounts, count(1)
    said = answers(rng, 80)
    live = [model for model in house.models if model.retired_at is None]
    size = max(1, len(live) // amounts.passes)
    passes: list[tuple[Any, ...]] = []
    attempts: list[tuple[Any, ...]] = []
    scores: list[tuple[Any, ...]] = []
    for number in range(amounts.passes):
        at = house.now - timedelta(days=90 * (amounts.passes - number) / amounts.passes)
        passes.append((number + 1, "next-free", 1, at, at + timedelta(hours=3)))
        asked = rng.sample(versions, min(amounts.asked_tasks, len(versions)))
        for version, control, model in _pairs(asked, live[number * size : (number + 1) * size]):
            place, fine = next(ids), rng.random() < 0.93
            outcome, text = ("answered", rng.choice(said)) if fine else ("timeout", "")
            attempts.append((place, number + 1, version, model.pk, outcome, text, 3.1, 900, 80, 3_000_000, at))
            if fine:
                scores.append(_score(place, control, rng.random() < 0.6))
    pour(SuitePass, ("id", "kind", "repetitions", "created_at", "ended_at"), passes)
    columns = (
        *("id", "suite_pass", "version", "language_model", "outcome", "answer", "seconds", "tokens_in", "tokens_out"),
        *("cost", "at"),
    )
    pour(Attempt, columns, attempts)
    scored = ("attempt", "scorer", "found", "of", "missed", "hunt", "chance", "wrong", "steps")
    pour(Score, scored, scores)


def _pairs(asked: list[tuple[int, bool]], models: list[LanguageModel]) -> Iterator[tuple[int, bool, LanguageModel]]:
    return ((version, control, model) for version, control in asked for model in models)


def _score(attempt: int, control: bool, right: bool) -> tuple[Any, ...]:
    label = "no fault" if control else "line 4"
    step = {"kind": "find", "label": label, "how": "found" if right else "missed", "where": "FAULT: line 4"}
    hunt = ("clean" if right else "false alarm") if control else ("found" if right else "wrong line")
    chance = "control" if control else "" if right else "wrong line"
    return attempt, SCORER, int(right), 1, [] if right else [label], hunt, chance, not right, [step]

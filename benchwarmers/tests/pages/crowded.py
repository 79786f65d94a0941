"""Fills an installation with so many models, each with answers of the suite, judged work and probes, so that its
pictures can be looked at: `crowded MODELS [TASKS]`.

Run as a program with the variables of that installation. Rows are made in bulk; nothing is scored by a scorer.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from random import Random
from typing import Any

WORDS = ("granite", "heron", "osprey", "quill", "tern", "wren", "marl", "curlew", "petrel", "basalt", "avocet", "lark")
FAILURES = ("capacity", "timeout", "structural", "paywalled", "entitlement", "other")
BATCH = 5_000


def fill(models: int = 60, tasks: int = 80, seed: int = 5, days: int = 14) -> None:
    """Models of drawn skill, tasks of every shape, an answer of nearly each to each."""
    from django.utils import timezone

    from collections_app.models import Endpoint, LanguageModel, Standing
    from probes.models import ProbeSample

    rng, now = Random(seed), timezone.now()
    provider = Endpoint.objects.get_or_create(name="crowd", defaults={"base": "https://crowd.example/v1"})[0]
    names = [f"{WORDS[at % 12]}-{3 + at * 7 % 90}b-v{at // 12 + 1}" for at in range(models)]
    rows = [LanguageModel(alias=name, served=f"lab/{name}", endpoint=provider) for name in names]
    LanguageModel.objects.bulk_create(rows, batch_size=BATCH)
    crowd = list(LanguageModel.objects.filter(endpoint=provider).order_by("id"))
    skill = {one.pk: rng.betavariate(4, 2) for one in crowd}
    standings, samples = [], []
    for one in crowd:
        judged = rng.randint(0, 60)
        useful = float(round(judged * min(rng.gauss(skill[one.pk], 0.15), 1.0))) if judged else 0.0
        standings.append(Standing(language_model=one, offloads=judged * 3, judged=judged, useful=max(useful, 0.0)))
        steady = 1 - rng.random() ** 3 * 0.5
        for hour in range(days * 2):
            answered = rng.random() < steady
            failure = "" if answered else rng.choice(FAILURES)
            at = now - timedelta(hours=12 * hour + 1)
            sample = ProbeSample(language_model=one, kind="availability", prompt="tiny", at=at, answered=answered)
            sample.failure, sample.seconds = failure, 0.5 + rng.random()
            samples.append(sample)
    Standing.objects.bulk_create(standings, batch_size=BATCH)
    ProbeSample.objects.bulk_create(samples, batch_size=BATCH)
    _answers(crowd, skill, _tasks(tasks, now), rng, now)


def _tasks(tasks: int, now: datetime) -> list[Any]:
    """The current version of each task, with its task."""
    from suite.models import Task, TaskVersion

    shapes = (("finding", False), ("claim", False), ("seeded", False), ("seeded", True), ("real", False))
    rows = []
    for at in range(tasks):
        shape, control = shapes[at % len(shapes)]
        slug = f"crowd-{shape}-{at:03}{'-control' if control else ''}"
        rows.append(Task(slug=slug, title=slug, shape=shape, control=control, language="python", draft=False))
        rows[-1].created_at = now
    Task.objects.bulk_create(rows, batch_size=BATCH)
    made = list(Task.objects.filter(slug__startswith="crowd-").order_by("id"))
    TaskVersion.objects.bulk_create(
        [TaskVersion(task=one, digest=f"{one.pk:064}", prompt="?", current=True, made_at=now) for one in made],
        batch_size=BATCH,
    )
    return list(TaskVersion.objects.filter(task__in=made).select_related("task").order_by("id"))


def _answers(crowd: list[Any], skill: dict[int, float], versions: list[Any], rng: Random, now: datetime) -> None:
    from suite.models import Attempt, Score, SuitePass

    one_pass = SuitePass.objects.create(kind="manual", by="maya", created_at=now, ended_at=now)
    attempts = []
    for model in crowd:
        pace = 2 ** rng.uniform(-1, 6)
        for version in versions:
            if rng.random() < 0.04:
                continue
            outcome = "answered" if rng.random() < 0.95 else "timeout"
            row = Attempt(suite_pass=one_pass, version=version, language_model=model, outcome=outcome)
            row.at, row.seconds, row.cost = (
                now - timedelta(hours=rng.randint(1, 900)),
                pace * rng.uniform(0.5, 2),
                10**6,
            )
            attempts.append(row)
    Attempt.objects.bulk_create(attempts, batch_size=BATCH)
    scores = [
        _score(row, row.version.task, skill[row.language_model_id], rng)
        for row in Attempt.objects.filter(suite_pass=one_pass, outcome="answered")
        .select_related("version__task")
        .iterator(chunk_size=BATCH)
    ]
    Score.objects.bulk_create(scores, batch_size=BATCH)


def _score(row: Any, task: Any, skill: float, rng: Random) -> Any:
    from suite.models import Score

    good = rng.random() < skill
    score = Score(attempt=row, scorer=1, current=True, found=int(good), of=1)
    if task.shape == "finding":
        score.of = 5
        score.found = sum(rng.random() < skill for _ in range(5))
    elif task.shape == "claim":
        score.chance, score.wrong = "false claim", not good
    elif task.control:
        score.of, score.found, score.chance = 0, 0, "control"
        score.hunt, score.wrong = ("clean", False) if rng.random() < 0.5 + skill / 2 else ("false alarm", True)
    else:
        score.chance = "wrong line"
        score.hunt = "found" if good else rng.choice(("wrong line", "missed"))
        score.wrong = score.hunt == "wrong line"
    if score.wrong:
        score.invented = ["so it is"]
    return score


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    fill(*map(int, sys.argv[1:]))

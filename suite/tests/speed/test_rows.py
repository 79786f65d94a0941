"""The figures of rows, and the command that prints them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from collections_app.models import LanguageModel
from collections_app.tests.world import make_world
from probes.asking import Seen
from probes.jobs.store import enqueue
from probes.models import Job
from probes.store_samples import keep_sample
from suite.speed_rows import latest_speeds, models_failing_large

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def world() -> None:
    make_world()


def sweep(day: int, **seconds: float) -> None:
    """A sweep in which each of these models took so long for the large prompt and half of it for the tiny one; below
    zero for no answer."""
    job = enqueue("speed", f"{day}", now=NOW)
    assert isinstance(job, Job)
    for alias, took in seconds.items():
        pk = LanguageModel.objects.get(alias=alias).pk
        for prompt, factor in (("large", 1.0), ("tiny", 0.5)):
            told = {"seconds": abs(took) * factor, "failure": "" if took > 0 else "timeout", "text": "w" * 90}
            seen = Seen(pk, alias, prompt, took > 0, first_token_s=0.1, **told)  # type: ignore[arg-type]
            keep_sample(seen, "speed", job, at=NOW + timedelta(days=day))


def printed(*words: str) -> list[str]:
    out = StringIO()
    call_command("speed_table", *words, stdout=out)
    return out.getvalue().splitlines()


def test_each_model_has_its_own_latest_sweep_and_the_change_since_the_one_before() -> None:
    sweep(1, fast=1.0, slow=4.0)
    sweep(2, fast=1.0, slow=-9.0)
    sweep(3, fast=2.0)
    told = {(one.model, one.prompt): (one.p50, one.trend, one.outcomes) for one in latest_speeds()}
    assert told == {
        ("fast", "large"): (2.0, 1.0, {"answered": 1}),
        ("fast", "tiny"): (1.0, 1.0, {"answered": 1}),
        ("slow", "large"): (None, None, {"timeout": 1}),
        ("slow", "tiny"): (None, None, {"timeout": 1}),
    }
    assert models_failing_large() == {"slow"}
    assert printed() == [
        "fast  tiny  1 of 1  p50 1.00 s  p95 1.00 s  (1.00 to 1.00)  100% slower than before",
        "fast  large  1 of 1  p50 2.00 s  p95 2.00 s  (2.00 to 2.00)  47 characters/s  100% slower than before",
        "slow  tiny  0 of 1  timeout",
        "slow  large  0 of 1  timeout",
        "asked no large question: slow",
    ]
    assert [json.loads(line)["p95"] for line in printed("--json")] == [1.0, 2.0, None, None]


def test_who_is_retired_is_not_in_the_table() -> None:
    sweep(1, fast=1.0)
    LanguageModel.objects.filter(alias="fast").update(retired_at=NOW)
    assert printed() == ["there was no speed sweep yet"]

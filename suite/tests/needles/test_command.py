"""`manage.py needle_suite`: who is asked how much, and what is begun."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from collections_app.models import Fact
from collections_app.tests.world import make_world
from gateway.canon.kinds import AttemptOutcome
from probes.models import Job
from suite.asking import score_answer
from suite.models import Attempt, SuitePass, Task
from suite.store import keep_answer

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def world() -> None:
    """`fast` holds 8,000 tokens, `slow` 100,000; of the others nothing is known."""
    made = make_world()
    for alias, window in (("fast", 16_000), ("slow", 130_000)):
        Fact.objects.create(language_model=made.model(alias), field="context_window", value=window, source="operator")


def run(*words: str) -> list[str]:
    out = StringIO()
    call_command("needle_suite", "--packages", "rest_framework", "--positions", "2", *words, stdout=out)
    return out.getvalue().splitlines()


def test_each_model_is_asked_the_sizes_that_its_window_is_known_to_hold() -> None:
    lines = run("--models", "fast,slow,coder", "--sizes", "8k,32k")
    assert lines[:3] == [
        "fast: not asked 32k: its context window is 16,000 tokens and 44,096 are needed",
        "coder: not asked 8k: its context window is not known",
        "coder: not asked 32k: its context window is not known",
    ]
    told = {
        one.note: sorted(one.attempts.values_list("language_model__alias", "version__task__slug"))
        for one in SuitePass.objects.all()
    }
    assert told == {
        "needles, 8k": [("fast", f"needle-rest-framework-8k-{at}of2-s0") for at in (1, 2)],
        "needles, 8k, 32k": [("slow", f"needle-rest-framework-{k}-{at}of2-s0") for k in ("32k", "8k") for at in (1, 2)],
    }
    assert sorted(Job.objects.values_list("kind", "payload__pass")) == [
        ("suite-pass", pk) for pk in sorted(SuitePass.objects.values_list("pk", flat=True))
    ]


def test_the_same_again_makes_no_other_tasks() -> None:
    run("--models", "slow", "--sizes", "8k")
    run("--models", "slow", "--sizes", "8k")
    assert (Task.objects.count(), Task.objects.first().versions.count(), SuitePass.objects.count()) == (2, 1, 2)  # type: ignore[union-attr]


def test_a_dry_run_asks_nobody() -> None:
    lines = run("--models", "slow", "--sizes", "8k", "--dry-run")
    assert lines[1] == "2 needles, 2 calls"
    assert (Task.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--models", "coder"], "known to hold"),
        (["--models", "nobody"], "No model on the bench has the alias nobody"),
        (["--models", ""], "Name at least one model"),
        (["--models", "slow", "--sizes", "much"], "no size"),
        (["--models", "slow", "--positions", "99"], "1 to 20 positions"),
        (["--models", "slow", "--packages", "no_such"], "There is no installed package no_such"),
        (["--models", "slow", "--packages", "a.b"], "no package's name"),
        (["--models", "slow", "--sizes", "90k", "--packages", "channels"], "too little code"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        run(*words)
    assert Job.objects.count() == 0


def test_the_table_has_what_was_found_by_depth() -> None:
    run("--models", "slow", "--sizes", "8k")
    for attempt in Attempt.objects.select_related("version__task"):
        name = attempt.version.task.source.rpartition("::")[2] if "-1of2" in attempt.version.task.slug else "something"
        keep_answer(attempt, AttemptOutcome.ANSWERED, score_answer(attempt.version, name), answer=name, at=NOW)
    lines = run("--table")
    assert lines[0] == "slow  8,000 tokens  50% (9% to 91%)  by depth 25%: 100%  75%: 0%"
    assert lines[1].startswith("Read downward")

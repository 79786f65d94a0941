"""`suite_pass` and `suite_table` from a terminal."""

from __future__ import annotations

import time
from io import StringIO
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from msgspec import structs

from probes.jobs.run import run_job
from probes.jobs.store import stop
from probes.models import Job
from probes.tests.jobs.given import NOW
from probes.tests.sweeps.provider import provider, says
from probes.tests.sweeps.sweeping import registered
from suite.models import Attempt, SuitePass
from suite.store import keep_task
from suite.tests.asking.passing import FOUND, begun, hasty, hunt, hunts, worked


def answers(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return says(FOUND if served == "c1/m1" else "NO FAULT")


def printed(command: str, *words: str) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out, stderr=out)
    return out.getvalue()


def test_a_dry_run_prints_the_beginning_of_each_prompt_and_asks_nobody() -> None:
    registered("http://127.0.0.1:9/v1", models=2)
    keep_task(structs.replace(hunt(1), prompt="x" * 700), by="maya", now=NOW, reviewed=True)
    told = printed("suite_pass", "--dry-run", "--repetitions", "3")
    assert "hunt-1 (seeded, 700 characters)" in told
    assert "x" * 600 in told
    assert "x" * 601 not in told
    assert "100 characters more" in told
    assert "1 tasks for c1-m1, c1-m2: 6 calls" in told
    assert not SuitePass.objects.exists()


def test_a_pass_is_begun_for_the_models_and_tasks_that_are_named() -> None:
    registered("http://127.0.0.1:9/v1", models=2)
    hunts(3)
    keep_task(structs.replace(hunt(4), slug="other"), by="maya", now=NOW)
    keep_task(structs.replace(hunt(5), slug="hunt-draft"), by="maya", now=NOW)
    told = printed("suite_pass", "--models", "c1-m2", "--tasks", "hunt-*, other", "--timeout", "9", "--note", "why")
    assert "4 tasks for c1-m2, 4 calls" in told
    one = SuitePass.objects.get()
    assert (one.timeout_s, one.note, one.kind) == (9.0, "why", "manual")
    slugs = list(Attempt.objects.order_by("id").values_list("version__task__slug", flat=True))
    assert slugs == ["hunt-1", "hunt-2", "hunt-3", "other"]  # a draft by its name, not by a pattern
    assert Job.objects.get().payload == {"pass": one.pk}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--models", "nobody"), "No model on the bench has the alias nobody."),
        (("--tasks", "nothing-*"), "No task is called nothing-*."),
        (("--repetitions", "0"), "Repetitions are from 1 to 20."),
        (("--timeout", "-1"), "The time limit is above 0"),
    ],
)
def test_what_cannot_be_is_told(words: tuple[str, ...], why: str) -> None:
    registered("http://127.0.0.1:9/v1", models=1)
    hunts(1)
    with pytest.raises(CommandError, match=why.replace("*", r"\*")):
        printed("suite_pass", *words)


def work_at_the_first_job() -> None:
    until = time.monotonic() + 30
    while not (job := Job.objects.first()) and time.monotonic() < until:
        time.sleep(0.02)
    assert job is not None
    run_job(job.pk)
    connection.close()


@pytest.mark.parametrize(("timeout", "end"), [("9", "done: 2 answered"), ("0.05", "no answer: 2 timeout")])
def test_whoever_waits_is_told_how_it_ended(timeout: str, end: str) -> None:
    def slow(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        time.sleep(0.2)
        return says(FOUND)

    with provider(slow) as one, hasty():
        registered(one.base, models=1)
        hunts(2)
        worker = Thread(target=work_at_the_first_job)
        worker.start()
        told = printed("suite_pass", "--wait", "--timeout", timeout)
        worker.join()
    assert end in told


def test_whoever_waits_for_a_pass_that_is_stopped_gets_an_error() -> None:
    registered("http://127.0.0.1:9/v1", models=1)
    hunts(1)
    with hasty():
        worker = Thread(target=stop_the_first_job)
        worker.start()
        with pytest.raises(CommandError, match="skipped: enough"):
            printed("suite_pass", "--wait")
        worker.join()


def stop_the_first_job() -> None:
    until = time.monotonic() + 30
    while not stop(Job.objects.all(), NOW, "enough") and time.monotonic() < until:
        time.sleep(0.02)
    connection.close()


def test_the_table_has_a_line_for_each_model_with_its_intervals_and_says_who_is_better() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=2)
        worked(begun(models, hunts(16))[1])
    told = printed("suite_table")
    lines = {" ".join(line.split()) for line in told.splitlines()}
    assert "c1-m1 8 0 0 0 8 +0.00 100% (68-100%) of 8" in lines
    assert "c1-m2 0 0 8 8 0 +0.00 0% (0-32%) of 8" in lines
    assert "c1-m1 100% (68-100%) of 8 0% (0-32%) of 8 50% (28-72%) of 16" in lines
    assert "c1-m2" not in printed("suite_table", "--models", "c1-m1")
    assert "It cannot be told which of c1-m1 and c1-m2 is better" in printed(
        "suite_table", "--compare", "c1-m1", "c1-m2"
    )


def test_the_table_says_where_nothing_is_known() -> None:
    registered("http://127.0.0.1:9/v1", models=1)
    assert printed("suite_table") == "No model was asked any of these tasks yet.\n"
    with pytest.raises(CommandError, match="c1-m1 was asked none of these tasks"):
        printed("suite_table", "--models", "c1-m1")

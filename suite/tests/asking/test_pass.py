"""A pass: what is asked and kept, how each answer ends, and what is asked again when it is taken up."""

from __future__ import annotations

import time
from typing import Any

import pytest

from collections_app.models import Fact, LanguageModel
from gateway.models import Call
from probes.jobs import store
from probes.jobs.store import LEASE
from probes.models import Job
from probes.side import side
from probes.tests.jobs.given import NOW
from probes.tests.sweeps.provider import fails, provider, says
from probes.tests.sweeps.sweeping import lines, registered
from suite.models import Attempt, Score, SuitePass
from suite.tests.asking.passing import FOUND, begun, hunts, told, wait_until_ended, worked

Reply = tuple[int, dict[str, Any]]


def answers(served: str, question: str, body: dict[str, Any]) -> Reply:
    return says(FOUND)


def test_every_task_is_asked_once_and_each_answer_is_scored_as_it_is_kept() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=2)
        suite_pass, job = begun(models, hunts(2))
        job = worked(job)
    assert [question for _, question in one.asked] == ["Hunt 1."] * 2 + ["Hunt 2."] * 2
    assert (job.state, job.note, job.done, job.total) == ("done", "4 answered", 4, 4)
    assert told("outcome", "answer", "tries", "tokens_in", "tokens_out", "at") == [
        (task, "answered", FOUND, 1, 12, 3, NOW) for task in ("hunt-1", "hunt-1", "hunt-2", "hunt-2")
    ]
    rows = Score.objects.order_by("attempt__version__task__slug")
    assert (
        list(rows.values_list("found", "of", "hunt", "wrong"))
        == [(1, 1, "found", False)] * 2 + [(0, 1, "false alarm", True)] * 2
    )
    assert SuitePass.objects.get(pk=suite_pass.pk).ended_at == NOW


def test_a_call_of_the_suite_stands_in_the_ledger_with_its_purpose_and_costs_what_the_prices_say() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=1)
        Fact.objects.create(
            language_model=models[0], field="prices", value={"input": 2.0, "output": 10.0}, source="operator"
        )
        _, job = begun(models, hunts(1))
        worked(job)
        side().close()
    (call,) = Call.objects.values_list("alias", "purpose", "status", "cost")
    assert call == ("c1-m1", "suite", "ok", Attempt.objects.get().cost)
    assert Attempt.objects.get().cost == 12 * 2_000 + 3 * 10_000


ENDS: dict[str, tuple[Reply, tuple[str, str, str]]] = {
    "Hunt 1.": (says("I can't help with that."), ("refused", "", "")),
    "Hunt 2.": (says("\n"), ("empty", "empty", "an empty reply (stop)")),
    "Hunt 3.": (says("FAULT:"), ("empty", "empty", "an empty reply (stop)")),
    "Hunt 4.": (fails(404, "no such model", "model_not_found"), ("error", "structural", "404: no such model")),
    "Hunt 5.": (fails(400, "not here", "content_filter"), ("refused", "", "400: not here")),
    "Hunt 6.": (says("FAULT: line 502, rate limit exceeded"), ("answered", "", "")),
}


def test_what_is_no_answer_has_an_outcome_of_its_own_and_no_score() -> None:
    with provider(lambda served, question, body: ENDS[question][0]) as one:
        models = registered(one.base, models=1)
        _, job = begun(models, hunts(6))
        job = worked(job)
    assert told("outcome", "failure", "detail") == [
        (f"hunt-{number}", *ENDS[f"Hunt {number}."][1]) for number in range(1, 7)
    ]
    assert [row.attempt.version.task.slug for row in Score.objects.all()] == ["hunt-6"]
    assert (job.state, job.note) == ("done", "2 refused, 2 empty, 1 error, 1 answered")
    assert "c1-m1, hunt-4: error: 404: no such model" in lines(job)
    assert "c1-m1, hunt-1: refused" in lines(job)


def test_a_slow_answer_is_a_time_out_and_is_not_asked_again() -> None:
    def slow(served: str, question: str, body: dict[str, Any]) -> Reply:
        time.sleep(0.4)
        return says(FOUND)

    with provider(slow) as one:
        models = registered(one.base, models=1)
        _, job = begun(models, hunts(1), timeout_s=0.1)
        job = worked(job)
    assert len(one.asked) == 1
    assert told("outcome", "failure") == [("hunt-1", "timeout", "timeout")]
    assert (job.state, job.note) == ("no answer", "1 timeout")


def test_an_error_is_tried_again_and_the_answer_counts() -> None:
    def at_second(served: str, question: str, body: dict[str, Any]) -> Reply:
        return fails(503, "busy") if len(one.asked) == 1 else says(FOUND)

    with provider(at_second) as one:
        models = registered(one.base, models=1)
        _, job = begun(models, hunts(1))
        worked(job)
    assert told("outcome", "tries") == [("hunt-1", "answered", 2)]


def test_repetitions_are_attempts_of_their_own() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=1)
        _, job = begun(models, hunts(1), repetitions=3)
        worked(job)
    assert told("number", "outcome") == [("hunt-1", number, "answered") for number in (1, 2, 3)]


class Killed(BaseException):
    """The process is gone."""


def test_whoever_takes_a_pass_up_asks_only_what_has_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = store.write, 0

    def dying(job: Job, **fields: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Killed
        return real(job, **fields)

    with provider(answers) as one:
        models = registered(one.base, models=1)
        suite_pass, job = begun(models, hunts(5))
        monkeypatch.setattr(store, "write", dying)
        with pytest.raises(Killed):
            worked(job)
        monkeypatch.setattr(store, "write", real)
        kept = {question for task, outcome in told("outcome") if outcome for question in [f"Hunt {task[-1]}."]}
        assert len(kept) == 3
        assert SuitePass.objects.get(pk=suite_pass.pk).ended_at is None
        one.asked.clear()
        job = worked(job, NOW + 2 * LEASE)
    assert {question for _, question in one.asked} == {f"Hunt {number}." for number in range(1, 6)} - kept
    assert (job.state, job.note, job.done, job.total) == ("done", "5 answered", 5, 5)


def test_a_pass_that_is_stopped_keeps_what_came_and_has_ended() -> None:
    def stopping(served: str, question: str, body: dict[str, Any]) -> Reply:
        if question == "Hunt 2.":
            Job.objects.update(stop_asked=True)
        if question == "Hunt 3.":
            wait_until_ended()
        return says(FOUND)

    with provider(stopping) as one:
        models = registered(one.base, models=1)
        suite_pass, job = begun(models, hunts(5))
        job = worked(job)
    assert (job.state, job.note) == ("skipped", "stopped on request")
    assert [outcome for _, outcome in told("outcome")] == ["answered"] * 2 + [""] * 3
    assert Score.objects.count() == 2
    assert SuitePass.objects.get(pk=suite_pass.pk).ended_at == NOW


def test_a_model_retired_meanwhile_is_asked_no_more_and_has_no_outcome_for_the_rest() -> None:
    def retiring(served: str, question: str, body: dict[str, Any]) -> Reply:
        LanguageModel.objects.filter(alias="c1-m1").update(retired_at=NOW)
        time.sleep(1.1)  # without Redis the catalogue is read again once it is a second old
        return says(FOUND)

    with provider(retiring) as one:
        models = registered(one.base, models=1)
        _, job = begun(models, hunts(3))
        job = worked(job)
    assert len(one.asked) == 1
    assert told("outcome", "detail") == [
        ("hunt-1", "answered", ""),
        ("hunt-2", "", "it was retired meanwhile"),
        ("hunt-3", "", "it was retired meanwhile"),
    ]
    assert (job.state, job.note) == ("done", "2 not asked, 1 answered")
    assert "c1-m1, hunt-2: not asked: it was retired meanwhile" in lines(job)


def test_a_model_that_went_paid_is_not_called_whatever_the_pass_says() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=1, went_paid_at=NOW)
        _, job = begun(models, hunts(2))
        job = worked(job)
    assert one.asked == []
    assert (job.state, job.note) == ("skipped", "2 not asked")
    assert "costs money since 2026-11-29" in told("detail")[0][1]


def test_a_pass_with_nothing_left_is_only_told() -> None:
    with provider(answers) as one:
        models = registered(one.base, models=1)
        suite_pass, job = begun(models, hunts(1))
        worked(job)
        one.asked.clear()
        again = store.enqueue("suite-pass", "again", now=NOW, payload={"pass": suite_pass.pk})
        assert again is not None
        assert worked(again, NOW + LEASE).note == "1 answered"
    assert one.asked == []
    assert SuitePass.objects.get(pk=suite_pass.pk).ended_at == NOW


def test_a_pass_that_is_gone_says_so() -> None:
    job = store.enqueue("suite-pass", "7", now=NOW, payload={"pass": 7})
    assert job is not None
    ended = worked(job)
    assert (ended.state, ended.note) == ("failed", "the pass is gone")

"""The schedule's passes: whose turn it is, with which tasks, and what is a gap."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from msgspec import structs

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import ModelStatus
from probes.jobs.store import LEASE
from probes.tests.jobs.given import NOW
from probes.tests.sweeps.provider import fails, provider, says
from probes.tests.sweeps.sweeping import lines
from suite.models import Attempt, SuitePass, Task
from suite.store import keep_task
from suite.tests.asking.passing import FOUND, hunt, hunts, rotated, worked
from suite.work import models_to_ask

Reply = tuple[int, dict[str, Any]]


def answers(served: str, question: str, body: dict[str, Any]) -> Reply:
    return says(FOUND)


def bench(base: str, *served: str, **facts: object) -> None:
    """A model for each served name, whose alias is its first word."""
    endpoint, _ = Endpoint.objects.get_or_create(name="c1", defaults={"base": base, "kind": "local"})
    for name in served:
        LanguageModel.objects.create(alias=name.split(":")[0], served=name, endpoint=endpoint, **facts)


def hours(number: int) -> datetime:
    return NOW + timedelta(hours=number)


def passes() -> list[tuple[str, str, int]]:
    """(kind, alias, tasks answered) of each, in order."""
    rows = Attempt.objects.filter(outcome="answered").order_by("id")
    return [
        (kind, alias, len(list(group)))
        for (_, kind, alias), group in groupby(
            rows.values_list("suite_pass", "suite_pass__kind", "language_model__alias")
        )
    ]


def test_models_take_turns_six_tasks_at_a_time_and_free_ones_apart() -> None:
    with provider(answers) as one:
        bench(one.base, "ann", "bob", "cid:free")
        hunts(8)
        jobs = [rotated("suite", hours(number)) for number in range(4)]
        jobs += [rotated("suite-free", hours(4))]
    assert passes() == [
        ("next", "ann", 6),
        ("next", "bob", 6),
        ("next", "ann", 2),
        ("next", "bob", 2),
        ("next-free", "cid", 6),
    ]
    assert [job.note for job in jobs] == [f"{count} answered" for count in (6, 6, 2, 2, 6)]
    assert lines(jobs[2]) == ["ann: 2 tasks"]


def test_where_all_are_answered_the_oldest_answers_are_made_anew() -> None:
    with provider(answers) as one:
        bench(one.base, "ann")
        hunts(8)
        for number in range(2):
            rotated("suite", hours(number))
        one.asked.clear()
        rotated("suite", hours(2))
    assert [question for _, question in one.asked] == [f"Hunt {number}." for number in range(1, 7)]


def test_a_rate_limit_is_a_gap_and_another_failure_is_not() -> None:
    replies = {
        "Hunt 1.": fails(404, "no such model", "model_not_found"),
        "Hunt 2.": fails(429, "free-models-per-day", "rate_limit"),
    }

    with provider(lambda served, question, body: replies.get(question, says(FOUND))) as one:
        bench(one.base, "ann")
        hunts(3)
        first = rotated("suite")
        replies.clear()
        one.asked.clear()
        second = rotated("suite", hours(30))
    assert first.state == "done"
    assert {question for _, question in one.asked} == {
        f"Hunt {row.version.task.slug[-1]}." for row in Attempt.objects.filter(failure="capacity")
    }
    assert second.note == f"{len(one.asked)} answered"
    assert Attempt.objects.get(version__task__slug="hunt-1").failure == "structural"


def test_a_changed_task_is_asked_anew_and_drafts_and_dropped_ones_are_not_asked() -> None:
    with provider(answers) as one:
        bench(one.base, "ann")
        hunts(4)
        rotated("suite")
        one.asked.clear()
        Task.objects.filter(slug="hunt-3").update(draft=True)
        Task.objects.filter(slug="hunt-4").update(dropped=True)
        keep_task(structs.replace(hunt(1), prompt="Hunt anew."), by="maya", now=NOW)
        rotated("suite", hours(1))
    assert [question for _, question in one.asked] == ["Hunt anew."]


def test_a_scheduled_pass_that_is_taken_up_goes_on_with_the_same_model() -> None:
    with provider(answers) as one:
        bench(one.base, "ann", "bob")
        hunts(3)
        job = rotated("suite")
        Attempt.objects.filter(version__task__slug="hunt-2").update(outcome="")
        one.asked.clear()
        job.state, job.lease_until = "running", NOW
        job.save()
        worked(job, NOW + LEASE)
    assert one.asked == [("ann", "Hunt 2.")]
    assert SuitePass.objects.count() == 1


def test_with_nobody_to_ask_or_nothing_to_ask_it_says_so() -> None:
    with provider(answers) as one:
        assert rotated("suite").note == "the suite has no tasks"
        hunts(1)
        assert rotated("suite", hours(1)).note == "no model to ask"
        bench(one.base, "ann")
        assert rotated("suite-free", hours(2)).note == "no free model to ask"
    assert not SuitePass.objects.exists()


def test_nobody_is_asked_by_itself_who_should_not_be_or_would_not_answer() -> None:
    bench("http://127.0.0.1:9/v1", "ann")
    bench("", "retired", retired_at=NOW)
    bench("", "adhoc", ad_hoc=True)
    bench("", "draws", role="image")
    bench("", "decides", role="decision")
    bench("", "paid", went_paid_at=NOW)
    bench("", "allowed", went_paid_at=NOW, allow_paid=True)
    for status in ModelStatus:
        bench("", f"is-{status.replace(' ', '-')}", status=status)
    squad = Endpoint.objects.create(name="squad", base="http://127.0.0.1:9/v1", kind="practice")
    LanguageModel.objects.create(alias="scripted", served="slow", endpoint=squad)
    assert [model.alias for model in models_to_ask()] == [
        "allowed",
        "ann",
        "is-empty-reply",
        "is-failing",
        "is-healthy",
        "is-retired",
        "is-retiring",
        "is-slow",
        "is-throttled",
        "is-untested",
    ]

"""Which answers the sums are made of, and when they must be made anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.models import LanguageModel
from collections_app.tests.world import make_world
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.actions import do_accept_tasks, do_drop_tasks
from suite.asking import score_answer
from suite.drafts import Draft, bug_key
from suite.models import Attempt, Task
from suite.rescoring import rescore
from suite.selectors import Which, found_shares, load_results, stamp
from suite.store import begin_pass, keep_answer, keep_task

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)
BUG = Draft("bug", "A bug", TaskShape.SEEDED, "find it", bug_key((3,)), origin="seeded", language="python")
CLAIM = Draft("claim", "A claim", TaskShape.CLAIM, "is it so?", {"must_find": ["verdict: true"]}, language="go")


@pytest.fixture(autouse=True)
def world() -> None:
    make_world()
    for draft in (BUG, CLAIM):
        keep_task(draft, by="maya", now=NOW, reviewed=True)
    ask("FAULT: line 3\nVERDICT: TRUE")


def ask(answer: str, day: int = 0, models: tuple[str, ...] = ("fast", "slow")) -> None:
    """Everybody named is asked every task of today and says this."""
    at = NOW + timedelta(days=day)
    versions = [task.versions.get(current=True) for task in Task.objects.all()]
    named = list(LanguageModel.objects.filter(alias__in=models))
    one = begin_pass("manual", versions, named, by="maya", now=at)
    for attempt in one.attempts.select_related("version__task"):
        keep_answer(
            attempt, AttemptOutcome.ANSWERED, score_answer(attempt.version, answer), answer=answer, seconds=2.0, at=at
        )


def seen(which: Which) -> set[tuple[str, str]]:
    return {(one.model, one.task) for one in load_results(which).today}


def test_an_answer_comes_with_its_score() -> None:
    found = {(one.task, one.found, one.of, one.hunt, one.seconds) for one in load_results(Which()).today}
    assert found == {("bug", 1, 1, "found", 2.0), ("claim", 1, 1, "", 2.0)}


def test_what_was_invented_is_counted() -> None:
    ask("NO FAULT\nVERDICT: TRUE", 1, ("fast",))
    found = [(one.task, one.invented) for one in load_results(Which(models=("fast",))).today]
    assert found == [("bug", 0), ("claim", 0), ("bug", 1), ("claim", 0)]


@pytest.mark.parametrize(
    ("which", "tasks", "models"),
    [
        (Which(shape="claim"), {"claim"}, {"fast", "slow"}),
        (Which(origin="seeded"), {"bug"}, {"fast", "slow"}),
        (Which(language="go"), {"claim"}, {"fast", "slow"}),
        (Which(models=("slow",)), {"bug", "claim"}, {"slow"}),
        (Which(shape="claim", language="python"), set(), set()),
    ],
)
def test_answers_are_narrowed(which: Which, tasks: set[str], models: set[str]) -> None:
    assert seen(which) == {(model, task) for model in models for task in tasks}


def test_drafts_dropped_tasks_and_retired_models_do_not_count() -> None:
    Task.objects.filter(slug="bug").update(draft=True)
    assert {task for _, task in seen(Which())} == {"claim"}
    Task.objects.filter(slug="bug").update(draft=False, dropped=True)
    assert {task for _, task in seen(Which())} == {"claim"}
    LanguageModel.objects.filter(alias="slow").update(retired_at=NOW)
    assert {model for model, _ in seen(Which())} == {"fast"}
    assert {model for model, _ in seen(Which(retired=True))} == {"fast", "slow"}


def test_answers_to_an_earlier_version_are_kept_apart() -> None:
    keep_task(msgspec.structs.replace(BUG, prompt="find it well"), by="maya", now=NOW)
    assert seen(Which(shape="seeded")) == set()
    assert len(load_results(Which(shape="seeded")).every) == 2


def test_it_takes_as_many_queries_for_many_answers_as_for_few() -> None:
    with CaptureQueriesContext(connection) as few:
        load_results(Which())
    for day in range(1, 6):
        ask("FAULT: line 3", day)
    with CaptureQueriesContext(connection) as many:
        load_results(Which())
    assert len(many) == len(few) == 4


def test_what_was_found_is_summed_by_model_with_repetitions_averaged() -> None:
    ask("FAULT: line 9", 1, ("fast",))
    found = {LanguageModel.objects.get(pk=pk).alias: (one.hits, one.of) for pk, one in found_shares().items()}
    assert found == {"fast": (1.0, 2.0), "slow": (2.0, 2.0)}
    Task.objects.filter(slug="bug").update(dropped=True)
    Task.objects.filter(slug="claim").update(draft=True)
    assert found_shares() == {}


def rename() -> None:
    LanguageModel.objects.filter(alias="slow").update(alias="slower")


def edit() -> None:
    keep_task(msgspec.structs.replace(BUG, prompt="find it well"), by="maya", now=NOW)


def drop() -> None:
    do_drop_tasks(actor=None, tasks=[Task.objects.get(slug="bug")], now=NOW)


def accept() -> None:
    Task.objects.update(draft=True)
    before = stamp()
    do_accept_tasks(actor=None, tasks=list(Task.objects.all()), now=NOW)
    assert stamp() != before


def answer() -> None:
    ask("NO FAULT", 1, ("fast",))


def forget() -> None:
    Attempt.objects.first().delete()  # type: ignore[union-attr]  # there are four


@pytest.mark.parametrize("change", [rename, edit, drop, accept, answer, forget, rescore])
def test_whatever_the_sums_are_made_of_moves_the_stamp(change: Callable[[], object]) -> None:
    before = stamp()
    assert stamp() == before
    change()
    assert stamp() != before

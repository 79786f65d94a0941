"""Rows of the suite: versions, passes, scores made anew."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import msgspec
import pytest
from django.core.management import call_command

from collections_app.models import LanguageModel
from collections_app.tests.world import make_world
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.asking import score_answer
from suite.drafts import Draft, bug_key
from suite.models import Attempt, Score, TaskVersion
from suite.rescoring import rescore
from suite.store import begin_pass, keep_answer, keep_task

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)
DRAFT = Draft("bug-1", "A bug", TaskShape.SEEDED, "find it", bug_key((3,)), [{"name": "a.py", "text": "1 | x"}])


@pytest.fixture(autouse=True)
def world() -> None:
    make_world()


def versions() -> list[tuple[str, bool]]:
    return [(one.prompt, one.current) for one in TaskVersion.objects.order_by("id")]


def test_a_task_gets_a_new_version_when_what_is_asked_or_its_key_changes_and_not_otherwise() -> None:
    keep_task(DRAFT, by="maya", now=NOW)
    _, changed = keep_task(DRAFT, by="maya", now=NOW)
    assert not changed
    keep_task(msgspec.structs.replace(DRAFT, title="Another title"), by="maya", now=NOW)
    assert versions() == [("find it", True)]
    keep_task(msgspec.structs.replace(DRAFT, prompt="find it well"), by="maya", now=NOW)
    assert versions() == [("find it", False), ("find it well", True)]
    keep_task(DRAFT, by="maya", now=NOW)
    assert versions() == [("find it", True), ("find it well", False)]


def test_a_reviewed_task_stays_so_when_it_is_written_again() -> None:
    task, _ = keep_task(DRAFT, by="maya", now=NOW, reviewed=True)
    keep_task(DRAFT, by="maya", now=NOW)
    task.refresh_from_db()
    assert not task.draft


def answered(count: int) -> list[Attempt]:
    keep_task(DRAFT, by="maya", now=NOW, reviewed=True)
    models = list(LanguageModel.objects.order_by("alias"))[:1]
    one = begin_pass("manual", list(TaskVersion.objects.all()), models, by="maya", now=NOW, repetitions=count)
    Attempt.objects.filter(suite_pass=one).update(
        outcome=AttemptOutcome.ANSWERED, answer="FAULT: line 3\nbecause the bound is off by one there", at=NOW
    )
    return list(Attempt.objects.select_related("version__task"))


def test_an_answer_is_kept_once_with_its_score() -> None:
    attempt = answered(1)[0]
    Attempt.objects.filter(pk=attempt.pk).update(outcome="")
    scored = score_answer(attempt.version, "FAULT: line 3")
    keep_answer(attempt, AttemptOutcome.ANSWERED, scored, answer="FAULT: line 3", at=NOW)
    keep_answer(attempt, AttemptOutcome.ERROR, None, answer="late", at=NOW)
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.answer) == ("answered", "FAULT: line 3")
    assert [(row.found, row.hunt) for row in Score.objects.all()] == [(1, "found")]


def test_scores_made_anew_are_the_same_to_the_digit() -> None:
    answered(3)
    call_command("rescore_suite")
    fields = ("attempt", "found", "of", "missed", "invented", "hunt", "chance", "wrong", "steps", "current")
    first = list(Score.objects.order_by("attempt").values(*fields))
    assert rescore() == 3
    assert list(Score.objects.order_by("attempt").values(*fields)) == first
    assert first[0]["hunt"] == "found"


def test_a_thousand_scores_take_less_than_their_share_of_a_minute() -> None:
    answered(1_000)
    began = time.process_time()
    assert rescore() == 1_000
    assert time.process_time() - began < 3.0  # 100,000 in 60 s is 0.6; the machine may be busy

"""Who answered no large probe last is asked no large task by the schedule, and keeps nobody from their turn."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from collections_app.models import LanguageModel
from collections_app.tests.world import make_world
from gateway.canon.kinds import AttemptOutcome, TaskShape
from probes.asking import Seen
from probes.store_samples import keep_sample
from suite.drafts import Draft
from suite.models import Attempt, TaskVersion
from suite.store import begin_pass, keep_task
from suite.work import candidates, current_versions

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def world() -> None:
    """Two tasks, one of them large; `slow` answered no large probe."""
    make_world()
    for slug, length in (("little", 100), ("large", 9_000)):
        draft = Draft(slug, slug, TaskShape.FINDING, "find " * (length // 5), {"must_find": ["x"]})
        keep_task(draft, by="maya", now=NOW, reviewed=True)
    slow = LanguageModel.objects.get(alias="slow")
    keep_sample(Seen(slow.pk, "slow", "large", False, failure="timeout"), "speed", at=NOW)


def taken() -> dict[str, int]:
    return {one.alias: one.taken for one in candidates(current_versions())}


def test_a_large_task_counts_as_taken_for_who_is_not_asked_it() -> None:
    assert taken() == {"coder": 0, "fast": 0, "home": 0, "slow": 1, "tiny": 0}
    little = TaskVersion.objects.get(task__slug="little")
    begin_pass("manual", [little], list(LanguageModel.objects.filter(alias="slow")), by="maya", now=NOW)
    Attempt.objects.update(outcome=AttemptOutcome.ANSWERED, at=NOW)
    assert taken()["slow"] == 2


def test_who_may_be_asked_nothing_is_no_candidate() -> None:
    TaskVersion.objects.get(task__slug="little").delete()
    assert sorted(taken()) == ["coder", "fast", "home", "tiny"]


def test_an_answer_to_a_large_probe_brings_the_large_tasks_back() -> None:
    slow = LanguageModel.objects.get(alias="slow")
    keep_sample(Seen(slow.pk, "slow", "large", True, text="A cluster."), "onboarding", at=NOW)
    assert taken()["slow"] == 0

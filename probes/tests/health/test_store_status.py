"""How statuses are written: by samples as they come, and anew from everything that is known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.language_model import do_rename_model, do_save_model
from collections_app.models import Alert, LanguageModel
from collections_app.tests.world import World
from gateway.canon.kinds import AlertKind
from gateway.models import Call
from probes.health.complaints import RETIRER
from probes.health.store_status import alert_key, note_sample, refresh_status, set_countdown
from probes.models import Job, ProbeSample, Served

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def sample(model: LanguageModel, *, at: datetime = NOON, prompt: str = "tiny", **fields: Any) -> ProbeSample:
    fields = {"kind": "availability", "answered": not fields.get("failure"), **fields}
    return ProbeSample.objects.create(language_model=model, prompt=prompt, at=at, **fields)


def called(model: LanguageModel, at: datetime, status: str = "ok") -> None:
    Call.objects.create(
        at=at, language_model=model, alias=model.alias, endpoint_name="north", connection="north", status=status
    )


def status_of(model: LanguageModel) -> tuple[str, datetime | None]:
    model.refresh_from_db()
    return model.status, model.status_at


def test_a_tiny_question_says_how_a_model_is_and_a_large_one_does_not(world: World) -> None:
    model = world.model("fast")
    note_sample(model, sample(model), NOON)
    note_sample(model, sample(model, prompt="large", failure="capacity"), NOON)
    assert status_of(model) == ("healthy", NOON)
    note_sample(model, sample(model, at=NOON + HOUR, failure="capacity", detail="slow down"), NOON + HOUR)
    assert status_of(model) == ("throttled", NOON + HOUR)
    assert model.status_why == "slow down"


def test_what_is_not_listed_stays_not_served_though_it_answers(world: World) -> None:
    model = world.model("fast")
    Served.objects.create(
        endpoint=model.endpoint, served=model.served, first_seen=NOON, last_seen=NOON, first_missing=NOON
    )
    note_sample(model, sample(model), NOON)
    assert status_of(model) == ("not served", NOON)


def test_a_status_is_no_change_of_the_catalogue(
    world: World, bumps: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    model = world.model("fast")
    with django_capture_on_commit_callbacks(execute=True):
        note_sample(model, sample(model), NOON)
        note_sample(model, sample(model, failure="other"), NOON)
    assert bumps == []


def test_a_countdown_moves_the_stamp_where_it_begins_and_ends_and_not_between(
    world: World, bumps: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    model = world.model("fast")
    for days, moved in ((3, 1), (2, 1), (2, 1), (None, 2), (None, 2)):
        with django_capture_on_commit_callbacks(execute=True):
            set_countdown(model, days)
        assert len(bumps) == moved


def test_an_answer_ends_the_countdown_and_its_alert_at_once_and_leaves_those_of_others(world: World) -> None:
    model = world.model("fast")
    set_countdown(model, 2)
    for raiser, kind in ((RETIRER, AlertKind.RETIRING), ("catalog", AlertKind.WENT_PAID)):
        raise_alert(raiser, Raised(alert_key(model), kind, "words", alias="fast"), NOON)
    note_sample(model, sample(model), NOON)
    assert status_of(model) == ("healthy", NOON)
    assert model.retire_in is None
    assert [alert.raiser for alert in Alert.objects.all()] == ["catalog"]


def test_real_work_answered_since_makes_a_model_healthy_again(world: World) -> None:
    fast, slow = world.model("fast"), world.model("slow")
    for model in (fast, slow):
        sample(model, failure="timeout")
    called(fast, NOON + HOUR)
    called(slow, NOON - HOUR)
    called(slow, NOON + HOUR, "timeout")
    refresh_status([fast, slow, world.model("tiny")], NOON + 2 * HOUR)
    assert status_of(fast) == ("healthy", NOON + HOUR)
    assert status_of(slow) == ("slow", NOON)
    assert status_of(world.model("tiny")) == ("untested", None)


def test_work_under_a_former_alias_counts(world: World) -> None:
    called(world.model("fast"), NOON)
    model = do_rename_model(actor=None, alias="fast", new_alias="faster")
    refresh_status([model], NOON + HOUR)
    assert status_of(model) == ("healthy", NOON)


def test_nothing_from_after_the_moment_asked_for_counts(world: World) -> None:
    model = world.model("fast")
    sample(model, at=NOON + HOUR, failure="other")
    called(model, NOON + HOUR)
    refresh_status([model], NOON)
    assert status_of(model) == ("untested", None)


@pytest.mark.parametrize("number", [2, 40])
def test_many_models_cost_the_queries_of_few(world: World, number: int) -> None:
    for index in range(number):
        do_save_model(actor=None, alias=f"m{index}", served=f"maker/m{index}", endpoint="south")
    rows = list(LanguageModel.objects.filter(alias__startswith="m"))
    with CaptureQueriesContext(
        connection,
    ) as seen:
        refresh_status(rows, NOON)
    reads = [query for query in seen.captured_queries if query["sql"].startswith("SELECT")]
    assert len(reads) <= 5


def reach_of(model: LanguageModel) -> tuple[bool, bool]:
    """(never answered, fails large questions)."""
    model.refresh_from_db()
    return model.never_answered, model.fails_large


def test_who_never_answered_is_known_until_it_does(world: World) -> None:
    model = world.model("fast")
    note_sample(model, sample(model, failure="signin", account_wide=True), NOON)
    assert reach_of(model) == (False, False)
    note_sample(model, sample(model, failure="other"), NOON)
    assert reach_of(model) == (True, False)
    note_sample(model, sample(model), NOON)
    assert reach_of(model) == (False, False)
    note_sample(model, sample(model, failure="other"), NOON)
    assert reach_of(model) == (False, False)


def test_the_latest_large_question_says_whether_large_ones_are_answered(world: World) -> None:
    model = world.model("fast")
    note_sample(model, sample(model), NOON)
    note_sample(model, sample(model, prompt="large", kind="speed", failure="timeout"), NOON)
    assert reach_of(model) == (False, True)
    note_sample(model, sample(model, at=NOON + HOUR, prompt="large", kind="speed"), NOON + HOUR)
    assert reach_of(model) == (False, False)


def test_of_several_large_questions_of_one_job_one_answer_is_enough(world: World) -> None:
    model, job = world.model("fast"), Job.objects.create(kind="speed", key="all", due_at=NOON, created_at=NOON)
    for failure in ("", "timeout"):
        note_sample(model, sample(model, prompt="large", kind="speed", job=job, failure=failure), NOON)
    assert reach_of(model) == (False, False)

"""Asking a model again by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Alert, LanguageModel
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World
from gateway.canon.kinds import AlertKind, JobState
from probes.actions import do_retry_model
from probes.asking import Seen
from probes.health.retry import retry_by
from probes.health.store_status import alert_key, set_countdown
from probes.jobs.kinds import QUICK, kind_of
from probes.models import ProbeSample
from probes.tests.health.checking import claimed

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
LATER = datetime(2026, 3, 20, 13, tzinfo=UTC)


def counting_down(world: World) -> LanguageModel:
    model = world.model("fast")
    set_countdown(model, 2)
    for raiser in ("auto-retire", "served-check", "catalog"):
        raise_alert(raiser, Raised(alert_key(model), AlertKind.RETIRING, "words", alias="fast"), NOW)
    return model


def seen(model: LanguageModel) -> Seen:
    return Seen(model.pk, model.alias, "tiny", True, passed=True, seconds=1.25)


def test_an_answer_is_kept_and_ends_the_countdown_at_once(world: World) -> None:
    model = counting_down(world)
    job = do_retry_model(actor=world.alice, alias="fast", now=NOW)
    assert job is not None
    ending = retry_by(claimed(job, NOW), lambda alias: seen(model))
    assert (ending.state, ending.note) == (JobState.DONE, "fast answered in 1.2 s")
    model.refresh_from_db()
    assert (model.status, model.retire_in) == ("healthy", None)
    assert sorted(alert.raiser for alert in Alert.objects.all()) == ["catalog", "served-check"]
    assert ProbeSample.objects.get().kind == "retry"


def test_a_failure_is_told_in_the_providers_words_and_held_against_nobody(world: World) -> None:
    model = counting_down(world)
    job = do_retry_model(actor=world.alice, alias="fast", now=NOW)
    assert job is not None
    failed = replace(seen(model), answered=False, failure="structural", detail="no such model " * 40)
    ending = retry_by(claimed(job, NOW), lambda alias: failed)
    assert ending.state == JobState.NO_ANSWER
    assert ending.note.startswith("structural: no such model")
    assert len(ending.note) == 200
    model.refresh_from_db()
    assert (model.retire_in, Alert.objects.count(), ProbeSample.objects.count()) == (2, 3, 0)


def test_a_job_that_is_taken_up_again_does_not_ask_twice(world: World) -> None:
    asked: list[str] = []

    def ask(alias: str) -> Seen:
        asked.append(alias)
        return seen(world.model("fast"))

    job = do_retry_model(actor=world.alice, alias="fast", now=NOW)
    assert job is not None
    retry_by(claimed(job, NOW), ask)
    assert retry_by(claimed(job, LATER), ask).state == JobState.DONE
    assert asked == ["fast"]


def test_one_retry_of_a_model_is_open_and_somebody_waits_for_it(world: World) -> None:
    assert do_retry_model(actor=world.alice, alias="fast", now=NOW) is not None
    assert do_retry_model(actor=world.alice, alias="fast", now=NOW) is None
    assert kind_of("retry").queue == QUICK


def test_a_model_retired_meanwhile_is_not_asked(world: World) -> None:
    job = do_retry_model(actor=world.alice, alias="fast", now=NOW)
    assert job is not None
    do_retire_model(actor=None, alias="fast")
    assert retry_by(claimed(job, NOW), lambda alias: pytest.fail("asked")).state == JobState.SKIPPED


def test_who_may_not_start_work_and_what_may_not_be_called_is_refused(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_retry_model(actor=world.bob, alias="fast")
    LanguageModel.objects.filter(alias="fast").update(went_paid_at=NOW)
    with pytest.raises(Refused, match="costs money now"):
        do_retry_model(actor=world.alice, alias="fast")
    do_retire_model(actor=None, alias="slow")
    with pytest.raises(Refused, match="is retired; restore it first"):
        do_retry_model(actor=world.alice, alias="slow")

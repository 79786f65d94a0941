"""Models that were free and cost money now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.paid import do_allow_paid
from collections_app.models import Alert, Change
from collections_app.refusal import NotAllowed
from collections_app.tests.world import World, make_world
from gateway.canon.kinds import AlertKind, JobState
from probes.catalog import describe
from probes.catalog.alerts import settle_paid
from probes.catalog.paid import paid_since, words_of
from probes.catalog.store import Priced
from probes.catalog.store_choices import do_set_connection
from probes.tests.catalog.given import at_hand, model, refreshed
from probes.tests.jobs.given import NOW, Clock

FREE, COSTS = {"input": 0, "output": 0}, {"input": 0.5, "output": 1.5}
THEN = datetime(2026, 1, 1, tzinfo=NOW.tzinfo)


@pytest.mark.parametrize(
    ("since", "served", "before", "now", "paid", "found"),
    [
        (None, "m", FREE, COSTS, False, NOW),
        (None, "m", FREE, {"output": 1.0}, False, NOW),
        (None, "m", FREE, FREE, False, None),
        (None, "m", FREE, None, False, None),
        (None, "m", None, COSTS, False, None),
        (None, "m:free", None, COSTS, False, NOW),
        (None, "m:free", None, FREE, False, None),
        (None, "m", COSTS, {"input": 9.0}, False, None),
        (None, "m", FREE, COSTS, True, None),
        (THEN, "m", COSTS, COSTS, False, THEN),
        (THEN, "m", COSTS, None, False, THEN),
        (THEN, "m", COSTS, FREE, False, None),
        (THEN, "m", COSTS, COSTS, True, None),
    ],
)
def test_a_model_went_paid_when_it_was_free_and_is_not(
    since: datetime | None, served: str, before: Any, now: Any, paid: bool, found: datetime | None
) -> None:
    assert paid_since(since, served=served, before=before, now=now, paid_connection=paid, at=NOW) == found


@pytest.mark.parametrize(
    ("prices", "words"),
    [
        (COSTS, "$0.50 in, $1.50 out a million tokens"),
        ({"output": 0.000125}, "$0.000125 out a million tokens"),
        ({}, "of unknown price"),
        (None, "of unknown price"),
    ],
)
def test_prices_have_words(prices: Any, words: str) -> None:
    assert words_of(prices) == words


def priced(cost: Any) -> dict[str, Any]:
    return {"groq": {"models": {"llama-9-70b": {"id": "llama-9-70b", "cost": cost}}}}


@pytest.fixture
def world() -> World:
    world = make_world()
    do_save_endpoint(actor=None, name="groq", base="https://api.groq.com/openai/v1")
    do_save_model(actor=None, alias="llama", served="llama-9-70b", endpoint="groq")
    at_hand(models_dev=priced(FREE))
    refreshed(Clock())
    return world


def alerts() -> list[tuple[str, str]]:
    return list(Alert.objects.filter(raiser="catalog").values_list("key", "kind"))


ONE = [("model:paid:groq:llama-9-70b", AlertKind.WENT_PAID)]


@pytest.mark.django_db
def test_a_price_where_there_was_none_raises_an_alert_until_it_is_gone(world: World) -> None:
    assert alerts() == []
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    assert alerts() == ONE
    assert model("llama").went_paid_at == NOW
    message = Alert.objects.get().message
    assert "was free ($0.00 in, $0.00 out a million tokens)" in message
    assert "now costs $0.50 in, $1.50 out a million tokens" in message
    assert Change.objects.filter(name="llama", field="went_paid_at", actor_name="catalog").count() == 1
    refreshed(Clock())
    assert alerts() == ONE
    at_hand(models_dev=priced(FREE))
    refreshed(Clock())
    assert (alerts(), model("llama").went_paid_at) == ([], None)


@pytest.mark.django_db
def test_a_refresh_that_dies_between_the_price_and_its_alert_loses_neither(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_hand(models_dev=priced(COSTS))

    def dies(priced: list[Priced], paid: frozenset[str], now: datetime) -> list[str]:
        if any(one.model.alias == "llama" for one in priced):
            raise OperationalError("the process dies here")
        return settle_paid(priced, paid, now)

    with monkeypatch.context() as dying:
        dying.setattr(describe, "settle_paid", dies)
        job = refreshed(Clock())
    assert (job.state, alerts()) == (JobState.RUNNING, [])
    refreshed(Clock(NOW + timedelta(minutes=1)))
    assert alerts() == ONE


@pytest.mark.django_db
def test_an_alert_that_was_lost_is_raised_again(world: World) -> None:
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    Alert.objects.all().delete()
    refreshed(Clock())
    assert alerts() == ONE


@pytest.mark.django_db
def test_who_allows_it_to_cost_money_settles_the_alert(world: World) -> None:
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    with pytest.raises(NotAllowed):
        do_allow_paid(actor=world.bob, alias="llama", allowed=True)
    do_allow_paid(actor=world.alice, alias="llama", allowed=True)
    assert (alerts(), model("llama").allow_paid) == ([], True)
    refreshed(Clock())
    assert (alerts(), model("llama").went_paid_at) == ([], NOW)
    do_allow_paid(actor=world.alice, alias="llama", allowed=False)
    refreshed(Clock())
    assert alerts() == ONE


@pytest.mark.django_db
def test_on_a_connection_that_is_paid_anyway_nothing_goes_paid(world: World) -> None:
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    do_set_connection(actor=world.alice, connection="groq", paid=True, models_dev="")
    assert (alerts(), model("llama").went_paid_at) == ([], None)
    refreshed(Clock())
    assert (alerts(), model("llama").went_paid_at) == ([], None)


@pytest.mark.django_db
def test_an_operators_own_price_decides_whether_it_is_free(world: World) -> None:
    do_save_model(actor=None, alias="llama", served="llama-9-70b", endpoint="groq", stated={"prices": FREE})
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    assert alerts() == []


@pytest.mark.django_db
def test_a_model_that_is_pointed_elsewhere_is_not_the_one_that_went_paid(world: World) -> None:
    at_hand(models_dev=priced(COSTS))
    refreshed(Clock())
    do_save_model(actor=None, alias="llama", served="another-1", endpoint="groq")
    assert (model("llama").went_paid_at, model("llama").facts.count()) == (None, 0)
    refreshed(Clock())
    assert alerts() == []

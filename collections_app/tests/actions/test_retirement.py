"""Models leave the bench and come back: what that does beside their seats."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.language_model import do_save_model
from collections_app.actions.retirement import do_restore_model, do_retire_many, do_retire_model
from collections_app.models import Alert, Change, LanguageModel
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World
from gateway.canon.kinds import AlertKind

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def test_a_retired_model_is_counted_down_no_more_and_its_alerts_need_no_action(world: World) -> None:
    LanguageModel.objects.filter(alias="fast").update(retire_in=2)
    for raiser, alias in (("auto-retire", "fast"), ("catalog", "fast"), ("auto-retire", "slow")):
        raise_alert(raiser, Raised(f"model:{alias}", AlertKind.RETIRING, "words", alias=alias), NOW)
    do_retire_model(actor=None, alias="fast", why="gone", by="auto", now=NOW)
    row = world.model("fast")
    assert (row.retired_by, row.retire_in) == ("auto", None)
    assert [alert.key for alert in Alert.objects.all()] == ["model:slow"]
    assert Change.objects.get(thing="model", field="retired").actor_name == "auto"


def test_role_options_and_ad_hoc_outlast_a_retirement(world: World) -> None:
    do_save_model(
        actor=None,
        alias="coder",
        served="maker/coder-7b",
        endpoint="south",
        role="code",
        ad_hoc=True,
        options={"max_tokens": 9},
    )
    do_retire_model(actor=world.alice, alias="coder")
    row = do_restore_model(actor=world.alice, alias="coder", now=NOW)
    assert (row.role, row.ad_hoc, row.options, row.endpoint.name) == ("code", True, {"max_tokens": 9}, "south")
    assert (row.restored_at, row.retired_at) == (NOW, None)


def test_the_same_served_name_on_another_endpoint_is_no_obstacle(world: World) -> None:
    do_retire_model(actor=None, alias="fast")
    do_save_model(actor=None, alias="fast-south", served="vendor/fast-1", endpoint="south")
    assert not do_restore_model(actor=None, alias="fast").retired
    do_retire_model(actor=None, alias="fast")
    do_save_model(actor=None, alias="fast-2", served="vendor/fast-1", endpoint="north")
    with pytest.raises(Refused, match="north serves vendor/fast-1 as fast-2 by now; retire that one first"):
        do_restore_model(actor=None, alias="fast")


def test_many_are_retired_one_by_one_and_refusals_are_listed(world: World) -> None:
    done, refused = do_retire_many(actor=world.alice, aliases=["fast", "ghost", "fast", "slow"], why="all down")
    assert done == ["fast", "slow"]
    assert refused == [("ghost", "There is no model “ghost”.")]
    assert {world.model(alias).retired_why for alias in done} == {"all down"}


def test_who_may_retire_none_may_not_retire_many(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_retire_many(actor=world.bob, aliases=["fast"])
    assert not world.model("fast").retired

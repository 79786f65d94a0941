"""Collections and the settings that bound them."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.actions.language_model import do_rename_model, do_save_model, do_set_role
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.seats import members_of
from collections_app.actions.setting import do_save_settings
from collections_app.models import Change, Collection
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


def test_a_collection_is_tidied_when_saved(world: World) -> None:
    row = do_save_collection(
        actor=world.alice,
        name=" bench/new-one ",
        members=[" slow ", "", "fast", "slow"],
        description="  two \n words ",
        tags="Daily, review,daily ",
    )
    assert (row.name, row.description, row.tags, row.reply) == ("new-one", "two words", ["daily", "review"], "all")
    assert members_of(row) == ["slow", "fast"]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": "N"}, "name"),
        ({"members": []}, "members"),
        ({"members": ["nobody"]}, "members"),
        ({"shape": "image"}, "shape"),
        ({"shape": "square"}, "shape"),
        ({"reply": "loud"}, "reply"),
        ({"merger": "nobody"}, "merger"),
        ({"description": "x" * 301}, "description"),
        ({"tags": ["a b"]}, "tags"),
        ({"tags": [f"t{n}" for n in range(9)]}, "tags"),
        ({"ranking": "luck"}, "ranking"),
        ({"cooldown": "never"}, "cooldown"),
        ({"on_disconnect": "cry"}, "on_disconnect"),
        ({"shadow": {"share": 1.1}}, "shadow"),
        ({"shadow": {"daily": -1}}, "shadow"),
        ({"shadow": {"size": 1}}, "shadow"),
        ({"max_explorers": 3}, "max_explorers"),
    ],
)
def test_a_broken_rule_names_its_field(world: World, values: dict[str, Any], field: str) -> None:
    before = Change.objects.count()
    with pytest.raises(Refused) as refused:
        do_save_collection(actor=world.alice, **{"name": "new", "members": ["fast"], **values})
    assert {name for name, _ in refused.value.problems} == {field}
    assert Change.objects.count() == before


def test_all_broken_rules_are_told_together(world: World) -> None:
    with pytest.raises(Refused) as refused:
        do_save_collection(actor=world.alice, name="N", members=["nobody", "noone"], tags=["a b"], reply="loud")
    assert [name for name, _ in refused.value.problems] == ["name", "members", "members", "reply", "tags"]


def test_a_collection_holds_no_more_members_than_the_setting_allows(world: World) -> None:
    do_save_settings(actor=world.alice, max_calls=3)
    with pytest.raises(Refused, match="at most 3"):
        do_save_collection(actor=world.alice, name="big", members=["fast", "slow", "coder", "tiny"])


def test_retired_decision_and_renamed_models_are_not_seated(world: World) -> None:
    do_retire_model(actor=world.alice, alias="home")
    do_set_role(actor=world.alice, alias="tiny", role="decision")
    do_rename_model(actor=world.alice, alias="slow", new_alias="slower")
    for alias, why in (("home", "retired"), ("tiny", "decision model"), ("slow", "now called slower")):
        with pytest.raises(Refused, match=why):
            do_save_collection(actor=world.alice, name="new", members=[alias])


def test_a_merger_may_be_any_chat_model_but_none_that_makes_images(world: World) -> None:
    do_save_model(actor=world.alice, alias="painter", served="p/paint", endpoint="south", role="image")
    assert do_save_collection(actor=world.alice, name="new", members=["fast"], merger="tiny").merger == world.model(
        "tiny"
    )
    with pytest.raises(Refused, match="images"):
        do_save_collection(actor=world.alice, name="new", members=["fast"], merger="painter")


def test_saving_again_changes_the_order_and_logs_only_what_differs(world: World) -> None:
    Change.objects.all().delete()
    do_save_collection(actor=world.alice, name="core", members=["coder", "fast", "slow"], merger="fast", tags=["daily"])
    assert members_of(world.collection("core")) == ["coder", "fast", "slow"]
    assert [row.field for row in Change.objects.all()] == ["members"]
    do_save_collection(actor=world.alice, name="core", members=["coder", "fast", "slow"], merger="fast", tags=["daily"])
    assert Change.objects.count() == 1


def test_max_calls_does_not_go_below_a_collection_and_names_it(world: World) -> None:
    with pytest.raises(Refused, match=r"bench/core \(3\)"):
        do_save_settings(actor=world.alice, max_calls=2)
    assert do_save_settings(actor=world.alice, max_calls=3).max_calls == 3


@pytest.mark.parametrize(
    "values",
    [
        {"max_calls": 0},
        {"max_calls": 11},
        {"max_explorers": 3},
        {"max_explorers": -1},
        {"scheduler": "often"},
        {"half_life_days": 0},
        {"half_life_days": 0.5},
    ],
)
def test_settings_stay_within_their_bounds(world: World, values: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        do_save_settings(actor=world.alice, **values)


def test_a_removed_collection_is_gone_and_removing_it_again_is_told(world: World) -> None:
    do_remove_collection(actor=world.alice, name="bench/core")
    assert not Collection.objects.filter(name="core").exists()
    with pytest.raises(NotThere):
        do_remove_collection(actor=world.alice, name="core")


def test_a_caller_may_not_touch_collections_or_settings(world: World) -> None:
    for act in (
        lambda: do_save_collection(actor=world.bob, name="core", members=["fast"]),
        lambda: do_remove_collection(actor=world.bob, name="core"),
        lambda: do_save_settings(actor=world.bob, max_calls=9),
    ):
        with pytest.raises(NotAllowed):
            act()

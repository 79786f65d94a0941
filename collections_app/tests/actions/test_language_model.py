"""Models: aliases, roles, options, facts, retiring and restoring."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.actions.language_model import (
    do_rename_model,
    do_save_model,
    do_set_ad_hoc,
    do_set_role,
    load_model,
)
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.actions.seats import members_of
from collections_app.actions.setting import do_save_settings
from collections_app.actions.stated import do_state_facts
from collections_app.models import Change, Evidence, Fact, LanguageModel
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_a_blank_alias_is_derived_and_made_unlike_those_in_use(world: World) -> None:
    first = do_save_model(actor=world.alice, served="a/new-2:free", endpoint="north")
    second = do_save_model(actor=world.alice, served="b/new-2:free", endpoint="south", tag="groq/meta")
    assert (first.alias, second.alias) == ("new-2-free", "new-2-free-groq")


def test_registering_the_same_without_an_alias_finds_the_model_that_is_there(world: World) -> None:
    assert do_save_model(actor=world.alice, served="vendor/fast-1", endpoint="north").alias == "fast"
    assert LanguageModel.objects.count() == 5


@pytest.mark.parametrize("alias", ["FAST", "a", "-x", "a b", "x" * 65])
def test_an_alias_that_breaks_a_rule_is_refused(world: World, alias: str) -> None:
    with pytest.raises(Refused) as refused:
        do_save_model(actor=world.alice, alias=alias, served="v/other", endpoint="north")
    assert [field for field, _ in refused.value.problems] == ["alias"]


def test_an_alias_renamed_away_or_retired_is_never_used_again(world: World) -> None:
    do_rename_model(actor=world.alice, alias="fast", new_alias="faster")
    do_retire_model(actor=world.alice, alias="tiny")
    for alias, why in (("fast", "renamed to faster"), ("Fast", "renamed"), ("tiny", "retired"), ("TINY", "retired")):
        with pytest.raises(Refused, match=why):
            do_save_model(actor=world.alice, alias=alias, served="v/other", endpoint="north")
    with pytest.raises(Refused):
        do_rename_model(actor=world.alice, alias="faster", new_alias="fast")


def test_a_renamed_model_is_found_by_its_former_aliases_and_keeps_its_seats(world: World) -> None:
    do_rename_model(actor=world.alice, alias="fast", new_alias="mid")
    do_rename_model(actor=world.alice, alias="mid", new_alias="end")
    assert load_model("fast").alias == load_model("mid").alias == "end"
    assert members_of(world.collection("core")) == ["end", "slow", "coder"]


def test_a_rename_may_change_only_the_case_of_its_own_alias(world: World) -> None:
    assert do_rename_model(actor=world.alice, alias="fast", new_alias="Fast").alias == "Fast"


def test_the_same_served_name_is_registered_once_an_endpoint(world: World) -> None:
    with pytest.raises(Refused, match="under the alias fast"):
        do_save_model(actor=world.alice, alias="other", served="vendor/fast-1", endpoint="north")
    assert do_save_model(actor=world.alice, alias="other", served="vendor/fast-1", endpoint="south").alias == "other"


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": 0},
        {"max_tokens": 1_000_001},
        {"max_tokens": True},
        {"max_tokens": "9"},
        {"model": "x"},
        {"a b": 1},
    ],
)
def test_options_that_cannot_be_sent_are_refused(world: World, options: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        do_save_model(actor=world.alice, alias="fast", served="vendor/fast-1", endpoint="north", options=options)
    assert {field for field, _ in refused.value.problems} == {"options"}


def test_max_tokens_stays_within_what_the_model_is_known_to_write(world: World) -> None:
    Fact.objects.create(language_model=world.model("fast"), field="max_output", value=4096, source="feed")
    values: dict[str, Any] = {"actor": world.alice, "alias": "fast", "served": "vendor/fast-1", "endpoint": "north"}
    with pytest.raises(Refused, match="4096"):
        do_save_model(**values, options={"max_tokens": 5000})
    row = do_save_model(**values, options={"max_tokens": 5000, "temperature": 0.2}, stated={"max_output": 8192})
    assert row.options == {"max_tokens": 5000, "temperature": 0.2}


@pytest.mark.parametrize(
    "stated",
    [
        {"context_window": 0},
        {"context_window": True},
        {"tools": "yes"},
        {"limits": {"rpm": 0}},
        {"limits": {"cups": 3}},
        {"prices": {"input": -1}},
        {"prices": {"input": 0.0000001}},
        {"prices": {"input": float("inf")}},
        {"prices": {"input": True}},
        {"prices": {"tea": 3}},
        {"prices": 3},
        {"knowledge_cutoff": "x" * 21},
        {"description": "x" * 301},
        {"colour": "red"},
    ],
)
def test_facts_that_cannot_be_are_refused(world: World, stated: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        do_state_facts(actor=world.alice, model=world.model("fast"), stated=stated)
    assert not Fact.objects.exists()


def test_stating_facts_replaces_what_was_stated_and_touches_no_other_source(world: World) -> None:
    fast = world.model("fast")
    Fact.objects.create(language_model=fast, field="tools", value=False, source="probe")
    do_state_facts(actor=world.alice, model=fast, stated={"tools": True, "context_window": 9000})
    do_state_facts(actor=world.alice, model=fast, stated={"tools": True, "context_window": None})
    assert {(row.field, row.value, row.source) for row in Fact.objects.all()} == {
        ("tools", False, "probe"),
        ("tools", True, "operator"),
    }


def test_a_model_with_evidence_does_not_become_another_model(world: World) -> None:
    Evidence.objects.create(language_model=world.model("fast"), kind="seat", call="c", at=NOW)
    with pytest.raises(Refused, match="earned its evidence"):
        do_save_model(actor=world.alice, alias="fast", served="other/thing-9", endpoint="north")
    moved = do_save_model(actor=world.alice, alias="fast", served="mirror/fast_1:free", endpoint="south")
    assert moved.endpoint.name == "south"


def test_a_seated_model_cannot_become_a_decision_model(world: World) -> None:
    with pytest.raises(Refused, match="bench/core, bench/pair"):
        do_set_role(actor=world.alice, alias="fast", role="decision")
    assert do_set_role(actor=world.alice, alias="tiny", role="decision").role == "decision"


def test_a_model_can_be_kept_out_of_automatic_choice_and_let_in_again(world: World) -> None:
    assert do_set_ad_hoc(actor=world.alice, alias="fast", ad_hoc=True).ad_hoc
    assert not do_set_ad_hoc(actor=world.alice, alias="fast", ad_hoc=False).ad_hoc


def test_a_retired_model_leaves_every_seat_and_comes_back_to_them(world: World) -> None:
    do_retire_model(actor=world.alice, alias="fast", why="  gone\n paid ", now=NOW)
    row = world.model("fast")
    assert (row.retired_at, row.retired_by, row.retired_why) == (NOW, "alice", "gone paid")
    assert members_of(world.collection("core")) == ["slow", "coder"]
    assert world.collection("core").merger is None
    assert row.former == {"core": ["members", "merger"], "pair": ["members"]}
    do_restore_model(actor=world.alice, alias="fast")
    assert members_of(world.collection("core")) == ["slow", "coder", "fast"]
    assert world.collection("core").merger == world.model("fast")
    assert not world.model("fast").retired


def test_a_restored_model_takes_only_places_that_are_free(world: World) -> None:
    do_retire_model(actor=world.alice, alias="fast")
    do_remove_collection(actor=world.alice, name="pair")
    do_save_collection(actor=world.alice, name="core", members=["slow", "coder"], merger="slow")
    do_save_settings(actor=world.alice, max_calls=2)
    do_restore_model(actor=world.alice, alias="fast")
    assert members_of(world.collection("core")) == ["slow", "coder"]
    assert world.collection("core").merger == world.model("slow")


def test_what_is_served_again_is_not_restored(world: World) -> None:
    do_retire_model(actor=world.alice, alias="fast")
    do_save_model(actor=world.alice, alias="fast-again", served="vendor/fast-1", endpoint="north")
    with pytest.raises(Refused, match="fast-again"):
        do_restore_model(actor=world.alice, alias="fast")
    with pytest.raises(Refused, match="not retired"):
        do_restore_model(actor=world.alice, alias="slow")


def test_retiring_twice_is_retiring_once(world: World) -> None:
    do_retire_model(actor=world.alice, alias="fast", why="first")
    Change.objects.all().delete()
    do_retire_model(actor=world.alice, alias="fast", why="second")
    assert world.model("fast").retired_why == "first"
    assert not Change.objects.exists()


def test_a_caller_may_not_touch_models(world: World) -> None:
    for act in (
        lambda: do_save_model(actor=world.bob, alias="x1", served="x", endpoint="north"),
        lambda: do_rename_model(actor=world.bob, alias="fast", new_alias="x1"),
        lambda: do_retire_model(actor=world.bob, alias="fast"),
        lambda: do_set_ad_hoc(actor=world.bob, alias="fast", ad_hoc=True),
        lambda: do_state_facts(actor=world.bob, model=world.model("fast"), stated={}),
    ):
        with pytest.raises(NotAllowed):
            act()

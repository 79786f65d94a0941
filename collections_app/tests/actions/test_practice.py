"""The practice squad comes and goes in one step."""

from __future__ import annotations

import pytest

from collections_app.actions.collection import do_save_collection
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.practice import (
    do_practice_off,
    do_practice_on,
    do_refresh_practice,
    practice_base,
)
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.seats import members_of
from collections_app.facts import merge
from collections_app.models import Change, Collection, Endpoint, Fact, LanguageModel
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World

BASE = "http://127.0.0.1:8122/practice/v1"


def test_switching_on_makes_an_endpoint_five_characters_and_a_collection(db: None) -> None:
    collection = do_practice_on(actor=None, base=BASE)
    endpoint = Endpoint.objects.get()
    assert (endpoint.name, endpoint.kind, endpoint.base, endpoint.default) == ("practice", "practice", BASE, True)
    assert members_of(collection) == [f"practice-{name}" for name in ("slow", "wrong", "terse", "flaky", "thinker")]
    assert "not models" in collection.description
    thinker = LanguageModel.objects.get(alias="practice-thinker")
    assert thinker.served == "thinker"
    assert merge(thinker.facts.all())[0] == {
        "context_window": 32000,
        "tools": True,
        "vision": True,
        "documents": True,
        "structured_output": True,
        "reasoning": True,
    }


def test_switching_on_again_changes_nothing_but_a_moved_address(db: None) -> None:
    do_practice_on(actor=None, base=BASE)
    Change.objects.all().delete()
    do_practice_on(actor=None, base=BASE)
    assert not Change.objects.exists()
    do_practice_on(actor=None, base="http://127.0.0.1:9000/practice/v1")
    assert [(row.name, row.field) for row in Change.objects.all()] == [("practice", "base")]


def test_a_squad_of_an_older_version_is_stated_anew_and_nobody_is_brought_back(world: World) -> None:
    do_practice_on(actor=world.alice, base=BASE)
    do_retire_model(actor=world.alice, alias="practice-slow", why="too slow")
    terse = LanguageModel.objects.get(alias="practice-terse")
    Fact.objects.filter(language_model__endpoint__kind="practice", field="vision").update(value=False)
    Fact.objects.filter(language_model__endpoint__kind="practice", field="documents").delete()
    Change.objects.all().delete()
    do_refresh_practice(actor=None)
    facts = merge(terse.facts.all())[0]
    assert (facts["vision"], facts["documents"]) == (True, True)
    assert LanguageModel.objects.get(alias="practice-slow").retired
    assert {(row.name, row.field) for row in Change.objects.all()} == {
        (f"practice-{name}", field)
        for name in ("wrong", "terse", "flaky", "thinker")
        for field in ("vision", "documents")
    }
    Change.objects.all().delete()
    do_refresh_practice(actor=None)
    assert not Change.objects.exists()
    assert not world.model("fast").facts.filter(field="documents").exists()


def test_without_an_address_it_is_where_this_installation_serves_it(db: None) -> None:
    do_practice_on(actor=None)
    assert Endpoint.objects.get().base == practice_base() == BASE


def test_the_first_real_endpoint_becomes_the_default(db: None) -> None:
    do_practice_on(actor=None, base=BASE)
    do_save_endpoint(actor=None, name="north", base="https://north.example/v1")
    assert Endpoint.objects.get(default=True).name == "north"
    do_practice_off(actor=None)
    assert Endpoint.objects.get(default=True).name == "north"


def test_switching_off_leaves_only_what_is_real(world: World) -> None:
    before = set(LanguageModel.objects.values_list("alias", flat=True))
    do_practice_on(actor=world.alice, base=BASE)
    assert Endpoint.objects.get(default=True).name == "north"
    do_save_collection(actor=world.alice, name="mixed", members=["practice-slow", "fast"])
    do_practice_off(actor=world.alice)
    do_practice_off(actor=world.alice)
    assert set(LanguageModel.objects.values_list("alias", flat=True)) == before
    assert not Collection.objects.filter(name="practice").exists()
    assert members_of(world.collection("mixed")) == ["fast"]
    do_practice_on(actor=world.alice, base=BASE)
    assert Endpoint.objects.filter(kind="practice").exists()


def test_a_collection_of_ones_own_called_practice_is_not_taken_over(world: World) -> None:
    do_save_collection(actor=world.alice, name="practice", members=["fast"])
    with pytest.raises(Refused, match="of your own"):
        do_practice_on(actor=world.alice, base=BASE)
    do_practice_off(actor=world.alice)
    assert Collection.objects.filter(name="practice").exists()


def test_an_endpoint_of_ones_own_called_practice_is_not_taken_over(world: World) -> None:
    do_save_endpoint(actor=world.alice, name="practice", base="https://north.example/v2")
    do_save_model(actor=world.alice, alias="own", served="own", endpoint="practice")
    with pytest.raises(Refused, match="another kind"):
        do_practice_on(actor=world.alice, base=BASE)


def test_a_caller_may_not_switch_it(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_practice_on(actor=world.bob, base=BASE)
    with pytest.raises(NotAllowed):
        do_practice_off(actor=world.bob)

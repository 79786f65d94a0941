"""Aliases: which names may be given to which collections, and what becomes of them."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from collections_app.actions.alias import do_remove_alias, do_save_alias
from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.models import Change, ModelAlias
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


@pytest.mark.parametrize(
    "name",
    ["claude-sonnet-5", "gemini-3.1-pro-preview", "gpt-oss:20b", "openai/gpt-5", "x", "é" * 100, "cores", "Core"],
)
@pytest.mark.parametrize("target", ["bench/core", "bench/core:all", "bench/core:merged", "bench/pair:choices"])
def test_any_printable_name_may_lead_to_any_way_of_answering(world: World, name: str, target: str) -> None:
    row = do_save_alias(actor=world.alice, name=f" {name} ", target=f" {target} ")
    assert (row.name, row.full_name) == (name, target)


def test_a_target_may_leave_out_the_prefix(world: World) -> None:
    assert do_save_alias(actor=None, name="mini", target="core:route").full_name == "bench/core:route"


@pytest.mark.parametrize(
    ("name", "target", "field", "words"),
    [
        ("", "bench/core", "name", "1 to 100 printable"),
        ("a b", "bench/core", "name", "no space"),
        ("a\tb", "bench/core", "name", "no space"),
        ("a\u00a0b", "bench/core", "name", "no space"),
        ("x" * 101, "bench/core", "name", "1 to 100"),
        ("bench/mine", "bench/core", "name", "always names a collection"),
        ("pair", "bench/core", "name", "bench/pair"),
        ("pair:route", "bench/core", "name", "bench/pair"),
        ("mini", "bench/nobody", "target", "no collection “nobody”"),
        ("mini", "bench/core:loud", "target", "“loud” is no way to answer; known are all, merged, route, choices."),
        ("mini", "gpt-5.5", "target", "no collection “gpt-5.5”"),
        ("mini", "bench/", "target", "such as bench/core"),
    ],
)
def test_a_broken_rule_names_its_field_and_what_is_right(
    world: World, name: str, target: str, field: str, words: str
) -> None:
    with pytest.raises(Refused) as refused:
        do_save_alias(actor=world.alice, name=name, target=target)
    ((where, sentence),) = refused.value.problems
    assert where == field
    assert words in sentence
    assert ModelAlias.objects.count() == 1


def test_a_wrong_name_and_a_wrong_target_are_told_together(world: World) -> None:
    with pytest.raises(Refused) as refused:
        do_save_alias(actor=world.alice, name="a b", target="nobody")
    assert [field for field, _ in refused.value.problems] == ["name", "target"]


def test_saving_again_moves_it_and_the_same_again_writes_nothing(world: World) -> None:
    Change.objects.all().delete()
    do_save_alias(actor=world.alice, name="gpt-5.5", target="bench/core:route")
    assert not Change.objects.exists()
    do_save_alias(actor=world.alice, name="gpt-5.5", target="bench/pair")
    change = Change.objects.get()
    assert (change.thing, change.name, change.actor_name) == ("alias", "gpt-5.5", "alice")
    assert (change.field, change.old, change.new) == ("target", "bench/core:route", "bench/pair")
    assert ModelAlias.objects.get().full_name == "bench/pair"


def test_every_write_moves_the_stamp(
    world: World, bumps: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    bumps.clear()
    for target in ("core", "pair"):
        with django_capture_on_commit_callbacks(execute=True):
            do_save_alias(actor=None, name="mini", target=target)
    with django_capture_on_commit_callbacks(execute=True):
        do_remove_alias(actor=None, name="mini")
    assert len(bumps) == 3


def test_removing_is_logged_with_where_it_led(world: World) -> None:
    Change.objects.all().delete()
    do_remove_alias(actor=world.alice, name="gpt-5.5")
    assert not ModelAlias.objects.exists()
    change = Change.objects.get()
    assert (change.thing, change.name, change.old, change.new) == (
        "alias",
        "gpt-5.5",
        {"target": "bench/core:route"},
        None,
    )
    with pytest.raises(NotThere):
        do_remove_alias(actor=world.alice, name="gpt-5.5")


def test_an_alias_goes_with_its_collection_and_the_log_says_so(world: World) -> None:
    do_remove_collection(actor=world.alice, name="core")
    assert not ModelAlias.objects.exists()
    assert Change.objects.get(thing="alias", new__isnull=True).name == "gpt-5.5"


@pytest.mark.parametrize("alias", ["mini", "mini:route"])
def test_a_new_collection_does_not_take_the_name_of_an_alias(world: World, alias: str) -> None:
    do_save_alias(actor=None, name=alias, target="core")
    with pytest.raises(Refused, match=rf"{alias} is an alias of bench/core"):
        do_save_collection(actor=world.alice, name="mini", members=["fast"])
    do_save_collection(actor=world.alice, name="core", members=["fast"])


def test_callers_may_not_write_aliases(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_save_alias(actor=world.bob, name="mini", target="core")
    with pytest.raises(NotAllowed):
        do_save_alias(actor=world.bob, name="gpt-5.5", target="pair")
    with pytest.raises(NotAllowed):
        do_remove_alias(actor=world.bob, name="gpt-5.5")
    assert world.bob.has_perm("collections_app.view_modelalias")

"""What connections may be sent: which limits may be set, by whom, and the line each change leaves."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.limit import do_remove_limit, do_save_limit
from collections_app.models import Change, ConnectionLimit
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


def test_a_limit_is_set_changed_and_removed_and_each_is_logged(world: World) -> None:
    do_save_limit(actor=world.dora, name=" north ", rpm=60, parallel=4)
    row = do_save_limit(actor=world.dora, name="north", rpm=30, rpmo=5_000_000_000)
    assert (row.rpm, row.rpmo, row.parallel) == (30, 5_000_000_000, None)
    before = Change.objects.count()
    do_save_limit(actor=world.dora, name="north", rpm=30, rpmo=5_000_000_000)
    assert Change.objects.count() == before
    do_remove_limit(actor=world.dora, name="north")
    assert not ConnectionLimit.objects.exists()
    lines = Change.objects.filter(thing="limit", name="north").order_by("pk")
    assert {line.actor_name for line in lines} == {"dora"}
    last = lines.last()
    assert last is not None
    assert last.old == {"rpm": 30, "rpmo": 5_000_000_000}


@pytest.mark.parametrize(
    ("name", "limits", "field", "words"),
    [
        ("", {"rpm": 1}, "name", "1 to 100 printable"),
        ("x" * 101, {"rpm": 1}, "name", "1 to 100 printable"),
        ("a\nb", {"rpm": 1}, "name", "1 to 100 printable"),
        ("north", {}, "name", "at least one of rpm, rpd, rpmo, tpm, tpd, parallel"),
        ("north", {"rpm": 0}, "rpm", "a whole number from 1 to 2147483647"),
        ("north", {"tpd": -5}, "tpd", "leave it out for no limit"),
        ("north", {"parallel": True}, "parallel", "a whole number"),
        ("north", {"tpm": 2**63}, "tpm", "a whole number from 1"),
    ],
)
def test_a_broken_rule_names_its_field(world: World, name: str, limits: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        do_save_limit(actor=world.dora, name=name, **limits)
    ((where, sentence),) = refused.value.problems
    assert where == field
    assert words in sentence
    assert not ConnectionLimit.objects.exists()


def test_what_is_not_there_cannot_be_removed(world: World) -> None:
    with pytest.raises(NotThere):
        do_remove_limit(actor=world.dora, name="nobody")


def test_a_caller_may_neither_set_nor_remove(world: World) -> None:
    do_save_limit(actor=None, name="north", rpm=1)
    with pytest.raises(NotAllowed):
        do_save_limit(actor=world.bob, name="north", rpm=2)
    with pytest.raises(NotAllowed):
        do_save_limit(actor=world.bob, name="south", rpm=2)
    with pytest.raises(NotAllowed):
        do_remove_limit(actor=world.bob, name="north")

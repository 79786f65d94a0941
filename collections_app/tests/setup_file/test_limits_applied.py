"""Limits of connections in the set-up file."""

from __future__ import annotations

import pytest

from collections_app.models import ConnectionLimit
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

NORTH = '[[connection]]\nname = "north"\nrpm = 60\nrpmo = 5000000000\nparallel = 4\n'


def apply(text: str, *, prune: bool = False) -> Outcome:
    return apply_setup(text, actor=None, environ={}, prune=prune)


def test_a_limit_is_added_left_and_changed_to_exactly_what_the_file_says(world: World) -> None:
    assert apply(NORTH).added == [("connection", "north")]
    assert apply(NORTH).left == [("connection", "north")]
    assert apply('[[connection]]\nname = "north"\ntpd = 9\n').changed == [("connection", "north")]
    row = ConnectionLimit.objects.get()
    assert (row.rpm, row.rpmo, row.tpd, row.parallel) == (None, None, 9, None)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (NORTH.replace("60", "0"), 3, "rpm is a whole number from 1"),
        (NORTH.replace("60", '"many"'), 3, "rpm is a whole number"),
        (NORTH.replace("rpmo", "rpy"), 4, "did you mean rpm"),
        ('[[connection]]\nname = "north"\n', 2, "at least one of"),
        ("[[connection]]\nrpm = 1\n", 1, "needs the field name"),
    ],
)
def test_a_mistake_has_its_line(world: World, text: str, line: int, words: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(text)
    ((mistake),) = mistaken.value.mistakes
    assert mistake.line == line
    assert words in mistake.sentence


def test_what_is_exported_makes_the_same_limits_again(world: World) -> None:
    apply(NORTH)
    text = export_setup()
    assert NORTH in text
    ConnectionLimit.objects.all().delete()
    assert ("connection", "north") in apply(text).added
    assert ConnectionLimit.objects.get().rpmo == 5_000_000_000


def test_a_limit_that_the_file_does_not_name_goes_with_prune(world: World) -> None:
    apply(NORTH)
    apply('[[connection]]\nname = "south"\nrpm = 1\n')
    assert ConnectionLimit.objects.count() == 2
    assert ("connection", "north") in apply(export_setup().replace(NORTH, ""), prune=True).removed
    assert [row.connection for row in ConnectionLimit.objects.all()] == ["south"]

"""Aliases in the set-up file."""

from __future__ import annotations

import pytest

from collections_app.models import Collection, ModelAlias
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

MINI = '[[alias]]\nname = "mini"\ntarget = "bench/core:merged"\n'


def apply(text: str, *, prune: bool = False) -> Outcome:
    return apply_setup(text, actor=None, environ={}, prune=prune)


def test_an_alias_is_added_changed_and_left(world: World) -> None:
    assert apply(MINI).added == [("alias", "mini")]
    assert apply(MINI).left == [("alias", "mini")]
    assert apply(MINI.replace(":merged", "")).changed == [("alias", "mini")]
    assert ModelAlias.objects.get(name="mini").full_name == "bench/core"


def test_an_alias_may_stand_before_its_collection(world: World) -> None:
    apply(MINI.replace("core", "new") + '[[collection]]\nname = "new"\nmembers = ["fast"]\n')
    assert ModelAlias.objects.get(name="mini").full_name == "bench/new:merged"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (MINI.replace("core", "nobody"), 3, "no collection “nobody”"),
        (MINI.replace("merged", "loud"), 3, "“loud” is no way to answer"),
        (MINI.replace("mini", "pair"), 2, "bench/pair"),
    ],
)
def test_a_mistake_has_its_line(world: World, text: str, line: int, words: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(text)
    ((mistake),) = mistaken.value.mistakes
    assert mistake.line == line
    assert words in mistake.sentence
    assert ModelAlias.objects.count() == 1


def test_an_alias_of_a_collection_with_a_mistake_adds_none_of_its_own(world: World) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(MINI.replace("core", "new") + '[[collection]]\nname = "new"\nmembers = ["ghost"]\n')
    assert len(mistaken.value.mistakes) == 1
    assert "ghost" in mistaken.value.mistakes[0].sentence


def test_what_is_exported_makes_the_same_aliases_again(world: World) -> None:
    apply(MINI)
    text = export_setup()
    assert '[[alias]]\nname = "gpt-5.5"\ntarget = "bench/core:route"\n' in text
    ModelAlias.objects.all().delete()
    assert apply(text).added == [("alias", "gpt-5.5"), ("alias", "mini")]
    assert export_setup() == text


def test_pruning_takes_aliases_that_are_not_named_and_frees_their_names(world: World) -> None:
    apply(MINI)
    text = export_setup().replace(MINI, "") + '[[collection]]\nname = "mini"\nmembers = ["fast"]\n'
    with pytest.raises(Mistaken, match="mini is an alias"):
        apply(text)
    assert ("alias", "mini") in apply(text, prune=True).removed
    assert Collection.objects.filter(name="mini").exists()
    assert ModelAlias.objects.get().name == "gpt-5.5"


def test_pruning_a_collection_takes_its_aliases(world: World) -> None:
    text = export_setup()
    core = text[text.index('[[collection]]\nname = "core"') : text.index('[[collection]]\nname = "pair"')]
    with pytest.raises(Mistaken, match="no collection “core”"):
        apply(text.replace(core, ""), prune=True)
    apply(text.replace(core, "").replace('[[alias]]\nname = "gpt-5.5"\ntarget = "bench/core:route"\n', ""), prune=True)
    assert not ModelAlias.objects.exists()


def test_an_alias_of_a_collection_that_cannot_be_exported_is_left_out(world: World) -> None:
    world.collection("core").seatings.all().delete()
    text = export_setup()
    assert "# The alias gpt-5.5 is left out" in text
    assert "[[alias]]" not in text


def test_shadow_seats_are_set_with_who_answers(world: World) -> None:
    text = '[[collection]]\nname = "new"\nmembers = ["fast"]\nshadow = { share = 0.5, who = "explorers", daily = 9 }\n'
    apply(text)
    assert world.collection("new").shadow == {"share": 0.5, "who": "explorers", "daily": 9}
    assert 'shadow = { share = 0.5, who = "explorers", daily = 9 }' in export_setup()
    with pytest.raises(Mistaken, match="members, explorers"):
        apply(text.replace('"explorers"', '"everybody"'))

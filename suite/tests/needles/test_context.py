"""The code around a needle: how much, how deep, and the same again."""

from __future__ import annotations

import pytest

from gateway.canon.tokens import estimate
from suite.needles import context
from suite.needles.draft import Order, drafts, sizes_of
from suite.needles.draw import TooLittle
from suite.tests.needles.given import ODD, haystack

HAY = haystack(200)
BODY = ODD.strip()


@pytest.mark.parametrize("tokens", [3_000, 10_000])
def test_a_question_is_as_large_and_its_needle_as_deep_as_said(tokens: int) -> None:
    (draft,) = drafts(HAY, Order({"hay": "1"}, (tokens,), 1))
    recipe = context.read_recipe(draft.attachments)
    assert recipe is not None
    assert recipe.depth == 0.5
    text = context.code(recipe, lambda name: HAY.sources[name].text)
    assert estimate(context.whole(draft.prompt, text)) == pytest.approx(tokens, rel=0.02)
    assert text.index(BODY) / (len(text) - len(BODY)) == pytest.approx(0.5, abs=0.02)
    assert text.count("def reconcile_ledgers") == 1
    assert context.digest(text) == recipe.digest


@pytest.mark.parametrize("depth", [0.05, 0.35, 0.95])
def test_every_depth_is_met_by_cutting_whole_lines_at_the_ends(depth: float) -> None:
    names = sorted(HAY.sources)[1:]
    one = next(one for one in HAY.functions if one.name == "reconcile_ledgers")
    room = context.room(8_000, depth, "prompt", BODY)
    recipe = context.Recipe(
        8_000, depth, {}, tuple(names[0::2]), one.file, one.first, one.last, tuple(names[1::2]), room
    )
    text = context.code(recipe, lambda name: HAY.sources[name].text)
    assert text.index(BODY) / (len(text) - len(BODY)) == pytest.approx(depth, abs=0.02)
    known = {line for source in HAY.sources.values() for line in source.text.splitlines()}
    assert all(line in known or line.startswith("===== FILE: hay/") for line in text.splitlines())


def test_a_file_that_is_cut_says_from_which_line_it_goes_on() -> None:
    (draft,) = drafts(HAY, Order({"hay": "1"}, (3_000,), 1))
    recipe = context.read_recipe(draft.attachments)
    assert recipe is not None
    first, second = context.code(recipe, lambda name: HAY.sources[name].text).splitlines()[:2]
    name, _, line = first.removeprefix("===== FILE: ").removesuffix(") =====").partition(" (from line ")
    assert HAY.sources[name].text.splitlines()[int(line) - 1] == second


def test_a_larger_question_has_the_same_needle_and_description() -> None:
    small, large = drafts(HAY, Order({"hay": "1"}, (3_000, 10_000), 1))
    assert (small.prompt, small.key, small.source) == (large.prompt, large.key, large.source)
    assert small.digest != large.digest
    assert (small.slug, large.slug) == ("needle-hay-3k-1of1-s0", "needle-hay-10k-1of1-s0")


@pytest.mark.parametrize(("tokens", "words"), [(1_000, "too few"), (400_000, "too little code")])
def test_sizes_that_cannot_be_made_are_refused(tokens: int, words: str) -> None:
    with pytest.raises(TooLittle, match=words):
        drafts(HAY, Order({"hay": "1"}, (tokens,), 1))


def test_sizes_are_read_as_people_write_them() -> None:
    assert sizes_of(["16k", " 64K", "5000"]) == (16_000, 64_000, 5_000)
    for word in ("big", "0", "-4k", ""):
        with pytest.raises(ValueError, match="no size"):
            sizes_of([word])

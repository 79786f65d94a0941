"""Which models explore: the stalest first, one a family, of a fitting role, and never the same few again and again."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from gateway.canon.kinds import SHAPE_ROLES, ModelRole, Shape
from gateway.engine.explorers import Field, Skipped, age, choose_explorers, explorer_places
from gateway.engine.ranking import Belief
from gateway.engine.recency import Recency
from gateway.engine.snapshot import ModelView, Votes
from gateway.tests.engine.world import NOW, ask, collection, model, plan, snapshot


def field(*models: ModelView, **facts: Any) -> Field:
    given: dict[str, Any] = {
        "models": {one.alias: one for one in models},
        "shape": Shape.GENERAL,
        "sitting": (),
        "avoid": {},
        "last_work": {},
        "now": NOW,
    }
    return Field(**(given | facts))


def chosen(where: Field, places: int = 2, nominated: tuple[str, ...] = (), seed: int = 1) -> list[str]:
    return [pick.alias for pick in choose_explorers(where, nominated, places, Random(seed))[0]]


@pytest.mark.parametrize(
    ("members", "calls", "explorers", "places"),
    [(1, 5, 2, 2), (2, 5, 2, 2), (3, 5, 2, 2), (4, 5, 2, 1), (5, 5, 2, 0), (6, 5, 2, 0), (0, 1, 2, 1), (1, 10, 0, 0)],
)
def test_places_are_bounded_by_calls_and_by_explorers(members: int, calls: int, explorers: int, places: int) -> None:
    assert explorer_places(members, calls, explorers) == places


def test_the_stalest_come_first_and_those_who_never_worked_before_them() -> None:
    last = {"a": NOW - 10, "b": NOW - 1_000, "c": NOW - 100}
    models = [model(alias) for alias in "abcd"]
    assert chosen(field(*models, last_work=last), 4) == ["d", "b", "c", "a"]


def test_staleness_has_the_clocks_own_resolution() -> None:
    last = {"a": NOW - 0.002, "b": NOW - 0.001}
    assert chosen(field(model("a"), model("b"), last_work=last), 1) == ["a"]


def test_one_model_of_a_family_explores() -> None:
    models = [model("a", served="one/Glm-4.6"), model("b", served="two/glm_4.6:free"), model("c", served="glm-4.5")]
    assert sorted(chosen(field(*models), 3))[-1] == "c"
    assert len(chosen(field(*models), 3)) == 2


def test_a_family_that_sits_already_does_not_explore() -> None:
    models = [model("a", served="one/glm-4.6"), model("b", served="two/glm-4.6"), model("c")]
    assert chosen(field(*models, sitting=("a",))) == ["c"]


def test_a_nominations_family_counts_as_seated() -> None:
    models = [model("a", served="one/glm-4.6"), model("b", served="two/glm-4.6"), model("c")]
    assert chosen(field(*models), 2, ("a",)) == ["a", "c"]


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("role", list(ModelRole))
def test_a_role_explores_the_shapes_that_admit_it(shape: Shape, role: ModelRole) -> None:
    assert bool(chosen(field(model("a", role=role), shape=shape))) == (role in SHAPE_ROLES[shape])


@pytest.mark.parametrize(
    ("shape", "roles"),
    [
        ("general", "general"),
        ("design", "general"),
        ("prose", "general"),
        ("review", "code general"),
        ("code", "code general"),
        ("enumeration", "code general light"),
        ("quick", "general light"),
        ("vision", "general light vision"),
        ("image", "image"),
    ],
)
def test_the_roles_of_every_shape_are_these(shape: str, roles: str) -> None:
    assert " ".join(sorted(SHAPE_ROLES[Shape(shape)])) == roles


@pytest.mark.parametrize(
    "facts", [{"ad_hoc": True}, {"retired_on": "2026-10-01"}, {"role": "decision"}], ids=["ad hoc", "retired", "judge"]
)
def test_some_models_never_explore_by_themselves(facts: dict[str, Any]) -> None:
    assert chosen(field(model("a", **facts))) == []


def test_what_is_to_be_avoided_is_passed_over() -> None:
    assert chosen(field(model("a"), model("b"), avoid={"a": "resting"})) == ["b"]


def test_a_nomination_overrules_what_is_to_be_avoided() -> None:
    assert chosen(field(model("a"), avoid={"a": "resting"}), 1, ("a",)) == ["a"]


@pytest.mark.parametrize(
    ("alias", "places", "why"),
    [
        ("ghost", 2, "no model has this alias"),
        ("judge", 2, "a decision model gives typed answers and never sits"),
        ("a", 0, "this panel has no explorer places"),
    ],
)
def test_a_nomination_that_cannot_sit_comes_back_with_the_reason(alias: str, places: int, why: str) -> None:
    where = field(model("a"), model("judge", role="decision"))
    assert choose_explorers(where, (alias,), places, Random(1))[1] == [Skipped("with", alias, why)]


def test_an_unknown_nomination_uses_up_no_place() -> None:
    assert chosen(field(model("a"), model("b")), 1, ("ghost", "b")) == ["b"]


def test_ties_are_broken_by_the_seed_and_come_out_again() -> None:
    models = [model(f"m{n}") for n in range(12)]
    draws = [tuple(chosen(field(*models), seed=seed)) for seed in range(40)]
    assert draws == [tuple(chosen(field(*models), seed=seed)) for seed in range(40)]
    assert len({alias for draw in draws for alias in draw}) == 12


def test_no_seed_overrules_staleness() -> None:
    last = {"a": NOW - 1, "b": NOW - 2, "c": NOW - 3}
    where = field(*[model(alias) for alias in "abc"], last_work=last)
    assert {tuple(chosen(where, seed=seed)) for seed in range(50)} == {("c", "b")}


def test_twenty_panels_in_a_minute_seat_everybody_before_anybody_twice() -> None:
    known = snapshot(*[model(f"m{n:02}") for n in range(12)], model("member"))
    recency, seated = Recency(), Counter[str]()
    for number in range(20):
        now = NOW + 3 * number
        planned = plan(ask(), collection("member"), known, recency.merged({}, {}), seed=number)
        explorers = [seat.alias for seat in planned.seats if seat.label != "member"]
        recency.note([seat.alias for seat in planned.seats], now)
        seated.update(explorers)
        if (number + 1) % 6 == 0:
            assert set(seated.values()) == {(number + 1) // 6}
    assert max(seated.values()) - min(seated.values()) == 1
    assert len(seated) == 12


def test_a_pick_says_how_stale_it_is() -> None:
    picks, _ = choose_explorers(field(model("a"), model("b"), last_work={"a": NOW - 7_300}), (), 2, Random(1))
    assert [pick.why for pick in picks] == [
        "has never worked; stalest of 2 candidates",
        "last worked 2 h ago; number 2 of 2 candidates by staleness",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "0 s"), (0.4, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"), (200_000, "2 d")],
)
def test_an_age_is_told_in_its_largest_whole_unit(seconds: float, text: str) -> None:
    assert age(seconds) == text


BELIEFS = {"m": Belief(8, 2), "known": Belief(70, 30), "weak": Belief(2, 18), "new": Belief(1, 1), "near": Belief(7, 3)}


def learned(places: int, **facts: Any) -> list[str]:
    recent = {alias: NOW - 60 for alias in BELIEFS}
    given: dict[str, Any] = {"beliefs": BELIEFS, "sitting": ("m",), "last_work": recent}
    return chosen(field(*[model(alias) for alias in BELIEFS], **(given | facts)), places)


def test_with_beliefs_those_explore_from_whom_most_is_to_be_learned() -> None:
    assert learned(4) == ["new", "near", "known", "weak"]


def test_with_beliefs_a_pick_says_how_much_is_to_be_learned_of_it() -> None:
    away = {alias: NOW - 60 for alias in BELIEFS} | {"weak": NOW - 9 * 86_400}
    where = field(*[model(alias) for alias in BELIEFS], beliefs=BELIEFS, sitting=("m",), last_work=away)
    picks, _ = choose_explorers(where, (), 3, Random(1))
    new, near = (f"{100 * BELIEFS[alias].gain(BELIEFS['m'].mean):.2g} points" for alias in ("new", "near"))
    assert [pick.why for pick in picks] == [
        "last worked 9 d ago; stalest of 4 candidates",
        f"its next verdicts are expected to raise the best by {new} of a hundred, the most of 3 candidates",
        f"its next verdicts are expected to raise the best by {near} of a hundred, number 2 of 3 candidates",
    ]


def test_with_beliefs_whoever_has_not_worked_for_a_week_comes_first_and_the_stalest_before_others() -> None:
    recent = {alias: NOW - 60 for alias in BELIEFS}
    away = {**recent, "weak": NOW - 8 * 86_400, "known": NOW - 9 * 86_400}
    assert learned(3, last_work=away) == ["known", "weak", "new"]
    never = {alias: at for alias, at in away.items() if alias != "weak"}
    assert learned(2, last_work=never) == ["weak", "known"]


def test_with_beliefs_the_rest_of_the_rules_holds() -> None:
    assert learned(2, avoid={"near": "resting"}) == ["new", "known"]
    assert learned(1, shape=Shape.IMAGE) == []
    related = [model(alias, served="lab/one") if alias in ("near", "new") else model(alias) for alias in BELIEFS]
    recent = {alias: NOW - 60 for alias in BELIEFS}
    where = field(*related, beliefs=BELIEFS, sitting=("m",), last_work=recent)
    assert chosen(where, 2) == ["new", "known"]
    assert chosen(where, 2, ("weak",)) == ["weak", "new"]


def test_a_pick_by_belief_says_what_is_to_be_gained() -> None:
    picks, _ = choose_explorers(
        field(model("m"), model("new"), beliefs=BELIEFS, sitting=("m",), last_work={"new": NOW}), (), 1, Random(1)
    )
    gain = 100 * BELIEFS["new"].gain(0.8)
    assert picks[0].why.startswith(f"its next verdicts are expected to raise the best by {gain:.2g} points")
    assert "more is to be learned of another" in picks[0].until


def test_a_collection_that_ranks_by_belief_explores_by_belief() -> None:
    lately = {"": {"m": Votes(7, 1), "sure": Votes(300, 300)}}
    known = snapshot(model("m"), model("sure"), model("new"), max_calls=2, lately=lately)
    worked = {"new": NOW - 10, "sure": NOW - 100}
    seats = plan(ask(), collection("m", ranking="bayes"), known, worked).seats
    assert [seat.alias for seat in seats] == ["m", "new"]
    assert [seat.alias for seat in plan(ask(), collection("m"), known, worked).seats] == ["m", "sure"]


def test_twenty_panels_in_a_minute_seat_everybody_before_anybody_twice_by_belief_too() -> None:
    known = snapshot(*[model(f"m{n:02}") for n in range(12)], model("member"))
    recency, seated = Recency(), Counter[str]()
    for number in range(6):
        planned = plan(ask(), collection("member", ranking="bayes"), known, recency.merged({}, {}), seed=number)
        recency.note([seat.alias for seat in planned.seats], NOW + 3 * number)
        seated.update(seat.alias for seat in planned.seats if seat.label != "member")
    assert set(seated.values()) == {1}
    assert len(seated) == 12


def test_who_never_answered_a_probe_or_is_listed_no_longer_does_not_explore() -> None:
    assert chosen(field(model("a"), model("b", unheard=True)), 2) == ["a"]


def test_who_fails_large_questions_explores_only_where_little_is_asked() -> None:
    models = [model("a"), model("b", fails_large=True)]
    assert sorted(chosen(field(*models), 2)) == ["a", "b"]
    assert chosen(field(*models, large=True), 2) == ["a"]


@pytest.mark.parametrize(("words", "explores"), [("x" * 7_000, True), ("x " * 4_100, False)])
def test_a_panel_is_large_from_eight_thousand_characters_on(words: str, explores: bool) -> None:
    known = snapshot(model("m"), model("silent", fails_large=True))
    seats = [seat.alias for seat in plan(ask(words), collection("m"), known).seats]
    assert ("silent" in seats) is explores

"""Whose chair goes to whom: members that rest, and what a caller may wish for one request."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.ask import BenchField
from gateway.canon.fault import Fault, Unavailable
from gateway.tests.engine.world import NOW, ask, collection, model, plan, sitting, skips, snapshot

BENCH = [model(f"m{place}") for place in range(1, 8)]
SPARE = [model(f"spare{place}") for place in range(1, 4)]


def wishing(**wishes: Any) -> Any:
    return ask(bench=BenchField(**wishes))


def resting(*aliases: str, minutes: int = 5, **facts: Any) -> Any:
    return snapshot(*BENCH, *SPARE, cooling={alias: NOW + 60 * minutes for alias in aliases}, **facts)


def test_a_member_that_rests_gives_its_chair_to_the_next() -> None:
    planned = plan(ask(), collection("m1", "m2", "m3", max_explorers=0), resting("m1", max_calls=2))
    assert sitting(planned) == ["m2", "m3"]
    assert skips(planned) == {"m1": ("member", "rests after a rate limit for another 5 min")}


def test_without_a_next_member_its_chair_goes_to_an_explorer_and_never_back_to_itself() -> None:
    planned = plan(ask(), collection("m1", "m2", max_explorers=2), resting("m1", max_calls=2))
    assert sitting(planned)[0] == "m2"
    assert planned.seats[1].label == "explorer"
    assert "m1" not in sitting(planned)


@pytest.mark.parametrize(
    ("members", "explorers", "sits"),
    [(("m1", "m2", "m3"), None, (2, 3)), (("m1", "m2"), 1, (1, 2)), (("m1", "m2", "m3", "m4", "m5"), 2, (4, 1))],
)
def test_the_panel_keeps_its_size_where_explorers_may_sit(
    members: tuple[str, ...], explorers: int | None, sits: tuple[int, int]
) -> None:
    planned = plan(ask(), collection(*members, max_explorers=explorers), resting("m1"))
    assert (planned.members, len(planned.seats) - planned.members) == sits


def test_where_nobody_may_explore_the_chair_stays_empty() -> None:
    assert sitting(plan(ask(), collection("m1", "m2", max_explorers=0), resting("m1"))) == ["m2"]


def test_a_rest_that_is_over_keeps_no_chair_empty() -> None:
    assert sitting(plan(ask(), collection("m1", max_explorers=0), resting("m1", minutes=-1))) == ["m1"]


def test_a_collection_may_have_resting_members_asked() -> None:
    planned = plan(ask(), collection("m1", "m2", cooldown="ask", max_explorers=0), resting("m1"))
    assert sitting(planned) == ["m1", "m2"]


def test_when_all_rest_and_nobody_explores_they_are_asked_rather_than_nobody() -> None:
    planned = plan(ask(), collection("m1", "m2", max_explorers=0), resting("m1", "m2"))
    assert sitting(planned) == ["m1", "m2"]
    assert not planned.skipped


def test_only_those_named_sit_in_their_order_members_or_not() -> None:
    planned = plan(wishing(only=("spare1", "m2")), collection("m1", "m2"), resting("m2"))
    assert [(seat.key, seat.alias, seat.why) for seat in planned.seats] == [
        ("member1", "m2", "member 1 of bench/core"),
        ("explorer", "spare1", "named alone by the caller"),
    ]


def test_one_named_alone_that_cannot_sit_is_told() -> None:
    planned = plan(wishing(only=("ghost", "m1")), collection("m1"), resting())
    assert sitting(planned) == ["m1"]
    assert skips(planned) == {"ghost": ("only", "no model has this alias")}


def test_nobody_of_those_named_alone_is_a_refusal() -> None:
    with pytest.raises(Fault) as caught:
        plan(wishing(only=("ghost",)), collection("m1"), resting())
    assert isinstance(caught.value, Unavailable)
    assert "ghost (no model has this alias)" in caught.value.message


@pytest.mark.parametrize(
    ("wishes", "members", "explorers"),
    [
        ({"seats": 2}, 2, 0),
        ({"seats": 7}, 3, 2),
        ({"seats": 7, "explorers": 4}, 3, 3),
        ({"explorers": 0}, 3, 0),
        ({"explorers": 1}, 3, 1),
        ({"seats": 1, "explorers": 2}, 1, 0),
    ],
)
def test_a_caller_may_wish_for_more_or_fewer_seats(wishes: dict[str, int], members: int, explorers: int) -> None:
    planned = plan(wishing(**wishes), collection("m1", "m2", "m3"), snapshot(*BENCH[:3], *SPARE))
    assert (planned.members, len(planned.seats) - planned.members) == (members, explorers)


def test_every_seat_says_when_it_would_sit_there_no_longer() -> None:
    planned = plan(ask(), collection("m1"), snapshot(*BENCH, *SPARE))
    assert all(seat.until for seat in planned.seats)
    assert "below place 5" in planned.seats[0].until

"""What a seat adds: claims that only it had, how seats agree, how many opinions they are, and what a claim costs."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from collections_app.contribution import (
    ENOUGH_PANELS,
    Contribution,
    SeatWork,
    Table,
    contribution,
    correlation,
    independent,
)


def seat(who: str, found: str = "", cost: float | None = None) -> SeatWork:
    return SeatWork(who, frozenset(found), cost)


def told(*panels: list[SeatWork]) -> Contribution:
    return contribution(panels, Random(1))


def test_no_panels_tell_nothing() -> None:
    assert told() == Contribution([], {}, None)


def test_a_claim_is_a_seats_own_when_no_other_seat_of_that_panel_had_it() -> None:
    added = {one.who: one for one in told([seat("a", "xy"), seat("b", "y")], [seat("a", "y"), seat("c", "x")]).seats}
    assert {who: (one.panels, one.found, one.alone) for who, one in added.items()} == {
        "a": (2, 3, 2),
        "b": (1, 1, 0),
        "c": (1, 1, 1),
    }


def test_who_adds_most_a_panel_comes_first() -> None:
    assert [one.who for one in told([seat("a", "x"), seat("b", "x"), seat("c", "xyz")]).seats] == ["c", "a", "b"]


@pytest.mark.parametrize(("panels", "enough"), [(ENOUGH_PANELS - 1, False), (ENOUGH_PANELS, True)])
def test_of_too_little_nothing_is_told(panels: int, enough: bool) -> None:
    found = told(*[[seat("a", "x", 0.1), seat("b", "xy", 0.2)]] * panels)
    assert {one.alone_per_panel is not None for one in found.seats} == {enough}
    assert {one.cost_per_claim is not None for one in found.seats} == {enough}
    assert (found.agreements["a", "b"].share is not None) is True  # two claims a panel are enough
    assert (found.opinions is not None) is enough


def test_rates_come_with_their_intervals() -> None:
    found = told(*[[seat("a", "x", 0.25), seat("b", "xy", 0.5)]] * 40)
    b, a = found.seats
    assert (a.who, b.who) == ("a", "b")
    assert b.alone_per_panel == pytest.approx((1.0, 0.714, 1.362), abs=1e-3)  # 40 of 40, by Poisson
    assert a.alone_per_panel == pytest.approx((0.0, 0.0, 0.0922), abs=5e-3)
    assert a.cost_per_claim == pytest.approx((0.25, 10 / 54.5, 10 / 28.6), abs=1e-3)
    assert found.agreements["a", "b"].share == pytest.approx((0.5, 0.393, 0.607), abs=1e-3)


def test_who_finds_nothing_has_no_upper_bound_of_cost() -> None:
    found = told(*[[seat("a", "", 1.0), seat("b", "x")]] * ENOUGH_PANELS)
    by = {one.who: one for one in found.seats}
    assert by["a"].cost_per_claim is not None
    assert (by["a"].cost_per_claim.share, by["a"].cost_per_claim.high) == (inf, inf)
    assert by["a"].cost_per_claim.low == pytest.approx(20 / 3.69, rel=0.02)
    assert by["b"].cost_per_claim is None


def test_what_a_panel_without_a_price_found_is_not_divided_among_the_others() -> None:
    found = told(*[[seat("a", "xyz"), seat("b")]] * 20, *[[seat("a", "x", 2.0), seat("b")]] * 20)
    by = {one.who: one for one in found.seats}
    assert by["a"].cost_per_claim is not None
    assert by["a"].cost_per_claim.share == 2.0


@pytest.mark.parametrize(
    ("table", "value"),
    [
        (Table(5, 0, 0, 5), 1.0),
        (Table(0, 5, 5, 0), -1.0),
        (Table(4, 4, 4, 4), 0.0),
        (Table(6, 2, 2, 6), 0.5),
        (Table(9, 0, 0, 0), 1.0),
        (Table(0, 0, 0, 9), 1.0),
        (Table(4, 5, 0, 0), 0.0),
        (Table(), 0.0),
    ],
)
def test_how_two_go_together(table: Table, value: float) -> None:
    assert correlation(table) == pytest.approx(value)


@pytest.mark.parametrize(
    ("tables", "opinions"),
    [
        ({"ab": Table(5, 0, 0, 5)}, 1.0),
        ({"ab": Table(4, 4, 4, 4)}, 2.0),
        ({"ab": Table(0, 5, 5, 0)}, 2.0),
        ({"ab": Table(5, 0, 0, 5), "ac": Table(5, 0, 0, 5), "bc": Table(5, 0, 0, 5)}, 1.0),
        ({"ab": Table(5, 0, 0, 5), "ac": Table(4, 4, 4, 4), "bc": Table(4, 4, 4, 4)}, 9 / 5),
        ({}, 0.0),
    ],
)
def test_who_fail_alike_are_one_opinion(tables: dict[str, Table], opinions: float) -> None:
    pairs = [((pair[0], pair[1]), table) for pair, table in tables.items()]
    assert independent(pairs) == pytest.approx(opinions)


def test_twins_beside_a_stranger_are_nearly_two_opinions() -> None:
    rng = Random(8)
    panels = []
    for _ in range(200):
        twin = frozenset(claim for claim in range(6) if rng.random() < 0.5)
        stranger = frozenset(claim for claim in range(6) if rng.random() < 0.5)
        # A third model sees everything, so that every claim is known to exist.
        panels.append(
            [SeatWork("a", twin), SeatWork("b", twin), SeatWork("c", stranger), SeatWork("d", frozenset(range(6)))]
        )
    found = told(*panels)
    assert found.opinions is not None
    assert found.opinions.share == pytest.approx(16 / 6, abs=0.05)
    assert found.opinions.low <= found.opinions.share <= found.opinions.high < 2.8
    assert found.agreements["a", "b"].share == pytest.approx((1.0, 0.99, 1.0), abs=0.01)
    assert found == told(*panels)


def test_a_model_beside_itself_is_no_pair() -> None:
    assert told([seat("a", "x"), seat("a", "y")]).agreements == {}

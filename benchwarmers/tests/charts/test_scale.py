"""From numbers to places, and the round numbers beside an axis."""

from __future__ import annotations

import pytest

from benchwarmers.charts.scale import Scale, log_ticks, round_ticks


@pytest.mark.parametrize(
    ("scale", "value", "place"),
    [
        (Scale(0, 1, 50, 150), 0.25, 75),
        (Scale(0, 1, 150, 50), 0.25, 125),
        (Scale(0, 1, 50, 150), 7, 150),
        (Scale(0, 1, 50, 150), -7, 50),
        (Scale(1, 100, 0, 200, log=True), 10, 100),
        (Scale(1, 100, 0, 200, log=True), 0.1, 0),
        (Scale(3, 3, 0, 100), 3, 50),
    ],
)
def test_a_number_has_a_place_between_the_ends(scale: Scale, value: float, place: float) -> None:
    assert scale.at(value) == pytest.approx(place)


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0, 1, 5, [0, 0.25, 0.5, 0.75, 1]),
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.25, 1, 5, [0, 0.5, 1]),
        (0.13, 0.97, 8, [0.2, 0.4, 0.6, 0.8]),
        (0, 4_000, 5, [0, 1000, 2000, 3000, 4000]),
        (2, 2, 5, [2]),
    ],
)
def test_ticks_are_round_and_within_the_ends(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert round_ticks(low, high, most) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.4, 12, [0.5, 1, 2, 5, 10]),
        (1, 1_000, [1, 10, 100, 1000]),
        (2.1, 4.4, [2.1, 4.4]),
    ],
)
def test_logarithmic_ticks_are_one_two_and_five(low: float, high: float, ticks: list[float]) -> None:
    assert log_ticks(low, high) == pytest.approx(ticks)
    assert Scale(low, high, 0, 1, log=True).ticks() == log_ticks(low, high)

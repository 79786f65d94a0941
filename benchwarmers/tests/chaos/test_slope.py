"""The slope finds a leak and leaves noise alone."""

from __future__ import annotations

from random import Random

import pytest

from benchwarmers.tests.chaos.slope import draw_together, theil_sen


def line(rise: float, noise: float, points: int = 60, seed: int = 1) -> list[tuple[float, float]]:
    rng = Random(seed)
    return [(float(n), 100.0 + rise * n + rng.gauss(0, noise)) for n in range(points)]


def test_a_straight_line_has_its_own_slope() -> None:
    found = theil_sen(line(2.0, 0.0))
    assert found.value == found.low == found.high == pytest.approx(2.0)
    assert not found.holds_zero


@pytest.mark.parametrize("seed", range(10))
def test_a_rise_that_noise_does_not_hide_is_found_and_bounded(seed: int) -> None:
    found = theil_sen(line(0.5, 2.0, seed=seed))
    assert found.low < found.value < found.high
    assert found.low > 0
    assert found.value == pytest.approx(0.5, abs=0.15)


def test_noise_alone_holds_zero_nearly_always() -> None:
    assert sum(theil_sen(line(0.0, 5.0, seed=seed)).holds_zero for seed in range(40)) >= 35


def test_a_few_wild_points_change_little() -> None:
    points = line(0.0, 1.0)
    points[30] = (30.0, 900.0)
    points[59] = (59.0, 900.0)
    assert abs(theil_sen(points).value) < 0.05


def test_neighbours_are_drawn_together_by_their_medians() -> None:
    assert draw_together([(0, 1), (1, 5), (2, 100), (3, 2), (4, 4), (5, 3)], 2) == [(1, 5), (4, 3)]
    assert len(draw_together(line(1.0, 0.0, 59), 20)) == 20


def test_too_few_points_are_refused() -> None:
    for points in ([(0.0, 1.0), (1.0, 2.0)], [(0.0, 1.0)] * 3):
        with pytest.raises(ValueError, match="point"):
            theil_sen(points)

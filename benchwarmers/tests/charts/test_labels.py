"""Names beside dots: none lies on another, on a dot or outside, and the first come first."""

from __future__ import annotations

from itertools import combinations
from random import Random

from benchwarmers.charts.labels import HIGH, Box, Label, Spot, place_labels
from benchwarmers.charts.marks import width_of

FIELD = Box(0, 0, 400, 300)


def box_of(label: Label) -> Box:
    left = label.x if label.anchor == "start" else label.x - width_of(label.words)
    return Box(left, label.y - 4 - HIGH / 2, left + width_of(label.words), label.y - 4 + HIGH / 2)


def crowd(number: int, seed: int) -> list[Spot]:
    rng = Random(seed)
    return [Spot(rng.uniform(10, 390), rng.uniform(10, 290), 4, f"model-{at}") for at in range(number)]


def test_no_label_lies_on_another_on_a_dot_or_outside() -> None:
    for seed in range(5):
        spots = crowd(60, seed)
        placed = [box_of(label) for label in place_labels(spots, FIELD) if label]
        assert len(placed) > 20
        assert not [pair for pair in combinations(placed, 2) if pair[0].meets(pair[1])]
        assert all(FIELD.holds(one) for one in placed)
        dots = [Box(s.x - 4, s.y - 4, s.x + 4, s.y + 4) for s in spots]
        assert not [one for one in placed for dot in dots if one.meets(dot)]


def test_a_dot_by_itself_has_its_name_to_the_right() -> None:
    (label,) = place_labels([Spot(100, 100, 4, "wren")], FIELD)
    assert label == Label(108, 104, "start", "wren", far=False)


def test_at_the_right_edge_the_name_stands_to_the_left() -> None:
    (label,) = place_labels([Spot(395, 100, 4, "wren")], FIELD)
    assert label is not None
    assert (label.x, label.anchor) == (387, "end")


def test_the_first_of_two_in_one_place_keeps_the_best_place_and_the_other_moves() -> None:
    first, second = place_labels([Spot(100, 100, 4, "wren"), Spot(100, 101, 4, "osprey")], FIELD)
    assert first is not None
    assert second is not None
    assert (first.anchor, second.anchor) == ("start", "end")


def test_where_no_place_is_free_a_name_is_left_out_and_what_is_kept_stays_free() -> None:
    assert place_labels([Spot(200, 150, 4, "wren")], FIELD, [FIELD]) == [None]
    assert place_labels([Spot(200, 150, 4, "w" * 80)], FIELD) == [None]


def test_a_name_far_from_its_dot_is_led_to_it() -> None:
    near = [Box(0, 130, 400, 170)]
    (label,) = place_labels([Spot(200, 150, 4, "wren")], FIELD, near)
    assert label is not None
    assert label.far

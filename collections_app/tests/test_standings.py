"""What evidence amounts to: a pure fold, the same in whatever order and in whatever parts it is done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.decay import Lately, weight
from collections_app.standings import Key, Tally, fold, key_of, keys_of, tally_of

T0 = datetime(2026, 11, 29, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass
class Row:
    """A row of evidence, unsaved."""

    useful: float | None = None
    at: datetime = T0
    language_model_id: int = 1
    collection_name: str = "core"
    kind: str = "seat"
    shape: str = "code"
    real_claims: int = 0
    false_claims: int = 0
    current: bool = True


def folded(*rows: Row, half_life: float = 60) -> dict[Key, Tally]:
    return fold(((key_of(row), tally_of(row)) for row in rows), half_life)


def over_all(*rows: Row, half_life: float = 60) -> Tally:
    return folded(*rows, half_life=half_life)[Key(1)]


def test_nothing_folds_to_nothing() -> None:
    assert folded() == {}


@pytest.mark.parametrize(
    ("collection", "shape", "parts"),
    [
        ("core", "code", [("", ""), ("", "code"), ("core", ""), ("core", "code")]),
        ("core", "", [("", ""), ("core", "")]),
        ("", "code", [("", ""), ("", "code")]),
        ("", "", [("", "")]),
    ],
)
def test_work_counts_in_the_standings_of_all_it_belongs_to(
    collection: str, shape: str, parts: list[tuple[str, str]]
) -> None:
    assert keys_of(Key(7, collection, shape)) == [Key(7, *part) for part in parts]


def test_work_of_two_shapes_adds_up_over_all_and_is_parted_by_shape() -> None:
    made = folded(Row(1.0), Row(0.0, shape="prose"), Row(1.0, collection_name="other"), Row(1.0, language_model_id=2))
    judged = {key[1:]: (tally.judged, tally.useful) for key, tally in made.items() if key.language_model_id == 1}
    assert judged == {
        ("", ""): (3, 2.0),
        ("core", ""): (2, 1.0),
        ("other", ""): (1, 1.0),
        ("", "code"): (2, 2.0),
        ("", "prose"): (1, 0.0),
        ("core", "code"): (1, 1.0),
        ("core", "prose"): (1, 0.0),
        ("other", "code"): (1, 1.0),
    }
    assert made[Key(2)].judged == 1


def test_what_a_later_row_replaced_counts_for_its_time_alone() -> None:
    later = Row(None, T0 + DAY, current=False, real_claims=4)
    assert over_all(Row(1.0), later) == Tally(
        offloads=1,
        judged=1,
        useful=1.0,
        panels_judged=1,
        panels_useful=1,
        last_work_at=T0 + DAY,
        lately=Lately(1.0, 1.0, T0),
    )


def test_the_means_of_judges_add_up_and_what_is_not_useful_counts_against() -> None:
    made = over_all(Row(1.0, real_claims=2), Row(0.5, false_claims=1), Row(0.0, false_claims=2), Row(None))
    assert (made.offloads, made.judged, made.useful, made.not_useful) == (4, 3, 1.5, 1.5)
    assert (made.real_claims, made.false_claims) == (2, 3)


def test_panels_are_counted_by_majority_and_apart_from_route_mode() -> None:
    made = over_all(
        Row(1.0), Row(0.6, kind="merger"), Row(0.5), Row(0.0), Row(1.0, kind="route"), Row(1.0, kind="shadow")
    )
    assert (made.panels_judged, made.panels_useful, made.panels_not_useful, made.judged) == (4, 2, 1, 6)


def test_a_verdict_counts_half_after_a_half_life() -> None:
    made = over_all(Row(1.0), Row(0.0, T0 + 30 * DAY), half_life=30)
    assert made.lately.at == T0 + 30 * DAY
    assert (made.lately.useful, made.lately.judged, made.lately.not_useful) == pytest.approx((0.5, 1.5, 1.0))
    later = made.lately.told_at(T0 + 60 * DAY, 30)
    assert (later.useful, later.judged) == pytest.approx((0.25, 0.75))


@pytest.mark.parametrize(("age_s", "left"), [(0, 1), (86_400, 0.5), (2 * 86_400, 0.25), (-86_400, 2)])
def test_what_is_left_of_one(age_s: float, left: float) -> None:
    assert weight(age_s, 1) == left


ROWS = st.builds(
    Row,
    useful=st.sampled_from([None, 0.0, 0.5, 1 / 3, 1.0]),
    at=st.integers(0, 400 * 86_400).map(lambda seconds: T0 + timedelta(seconds=seconds)),
    language_model_id=st.integers(1, 2),
    collection_name=st.sampled_from(["", "core", "other"]),
    kind=st.sampled_from(["seat", "route", "merger"]),
    shape=st.sampled_from(["", "code", "prose"]),
    real_claims=st.integers(0, 3),
    false_claims=st.integers(0, 3),
    current=st.booleans(),
)


def close(one: Tally, other: Tally, half_life: float) -> bool:
    """Alike to a thousand-millionth, the decayed sums at the same time."""
    when = max((at for at in (one.lately.at, other.lately.at) if at), default=T0)
    mine, theirs = one.lately.told_at(when, half_life), other.lately.told_at(when, half_life)
    numbers = [
        (tally.offloads, tally.judged, tally.useful, tally.real_claims, tally.false_claims, late.useful, late.judged)
        for tally, late in ((one, mine), (other, theirs))
    ]
    return numbers[0] == pytest.approx(numbers[1], abs=1e-9) and one.last_work_at == other.last_work_at


@given(rows=st.lists(ROWS, max_size=12), seed=st.integers(0, 99), half_life=st.sampled_from([1, 60, 3650]))
def test_neither_order_nor_parts_matter(rows: list[Row], seed: int, half_life: int) -> None:
    whole = folded(*rows, half_life=half_life)
    shuffled = Random(seed).sample(rows, len(rows))
    sums: dict[Key, Tally] = {}
    for row in shuffled:
        known = sums.get(key_of(row))
        sums[key_of(row)] = known.plus(tally_of(row), half_life) if known else tally_of(row)
    parted = fold(sums.items(), half_life)
    assert parted.keys() == whole.keys()
    assert all(close(parted[key], whole[key], half_life) for key in whole)


@given(rows=st.lists(ROWS, min_size=1, max_size=6), out=ROWS)
def test_what_is_taken_out_again_was_never_there(rows: list[Row], out: Row) -> None:
    whole = Tally()
    for row in rows:
        whole = whole.plus(tally_of(row), 60)
    again = whole.plus(tally_of(out), 60).plus(tally_of(out).negative(), 60)
    again = Tally(**{**{name: getattr(again, name) for name in Tally.__slots__}, "last_work_at": whole.last_work_at})
    assert close(again, whole, 60)

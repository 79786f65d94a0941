"""Who merges."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.engine.merge_plan import NoMerger, choose_merger, skipped_merger
from gateway.engine.plan import PanelPlan, SeatPlan
from gateway.engine.snapshot import CollectionView, Snapshot, Votes
from gateway.tests.engine.world import ask, collection, model, plan, snapshot

A, B, C = model("alpha"), model("beta"), model("gamma")
JUDGE = model("judge")
THREE = collection("alpha", "beta", "gamma", shape="review")


def votes(**by_alias: tuple[float, float]) -> dict[str, dict[str, Votes]]:
    """(useful, not useful) on reviews."""
    return {"review": {alias: Votes(*counted) for alias, counted in by_alias.items()}}


def known(*models: Any, **facts: Any) -> Snapshot:
    return snapshot(*(models or (A, B, C, JUDGE)), **facts)


def planned(seats: CollectionView = THREE, of: Snapshot | None = None) -> PanelPlan:
    return plan(ask(), seats, of or known())


def chosen(seats: CollectionView, of: Snapshot, tokens: int = 1_000, doubtful: tuple[str, ...] = ()) -> str:
    found = choose_merger(planned(seats, of), of, tokens, doubtful)
    assert isinstance(found, SeatPlan)
    assert (found.key, found.label) == ("merger", "merger")
    return found.alias


def with_merger(alias: str) -> CollectionView:
    return collection("alpha", "beta", merger=alias)


def test_the_collections_merger_merges_be_it_a_member_or_not() -> None:
    assert chosen(with_merger("beta"), known()) == "beta"
    assert chosen(with_merger("judge"), known(by_shape=votes(alpha=(9, 0)))) == "judge"


def test_the_collections_merger_has_no_rivals() -> None:
    of = known(A, B, model("judge", context_window=999))
    found = choose_merger(planned(with_merger("judge"), of), of, 1_000)
    assert found == NoMerger("the answers are about 1,000 tokens, more than the context window of judge (999)")


def test_the_collections_merger_merges_though_it_rests() -> None:
    assert chosen(with_merger("judge"), known(), doubtful=("judge",)) == "judge"


@pytest.mark.parametrize(
    ("by_shape", "first"),
    [
        ({}, "alpha"),
        (votes(beta=(1, 0)), "beta"),
        (votes(beta=(1, 0), gamma=(2, 9)), "gamma"),
        (votes(beta=(2, 1), gamma=(2, 0)), "gamma"),
        (votes(beta=(2, 0), gamma=(2, 0)), "beta"),
        (votes(beta=(0, 3)), "alpha"),
        (votes(judge=(9, 0)), "alpha"),
        ({"code": votes(gamma=(9, 0))["review"]}, "alpha"),
    ],
    ids=[
        "nobody judged",
        "one judged",
        "most useful",
        "then the ratio",
        "then the order",
        "never useful",
        "no member",
        "on another shape",
    ],
)
def test_members_merge_by_their_verdicts_then_in_their_order(by_shape: dict[str, dict[str, Votes]], first: str) -> None:
    assert chosen(THREE, known(by_shape=by_shape)) == first


def test_the_first_whose_window_is_unknown_or_holds_the_answers_merges() -> None:
    small, fits = model("alpha", context_window=999), model("beta", context_window=1_000)
    assert chosen(THREE, known(small, fits, C)) == "beta"
    assert chosen(THREE, known(small, C)) == "gamma"
    assert chosen(THREE, known(small, fits, C, by_shape=votes(alpha=(5, 0), gamma=(2, 0)))) == "gamma"


def test_nobody_merges_what_no_window_holds() -> None:
    of = known(model("alpha", context_window=900), model("beta", context_window=800))
    found = choose_merger(planned(collection("alpha", "beta"), of), of, 12_345)
    assert isinstance(found, NoMerger)
    assert "12,345" in found.why
    assert "alpha (900), beta (800)" in found.why


def test_members_that_rest_or_have_just_failed_merge_last() -> None:
    of = known(by_shape=votes(alpha=(5, 0)))
    assert chosen(THREE, of, doubtful=("alpha",)) == "beta"
    assert chosen(THREE, of, doubtful=("alpha", "beta", "gamma")) == "alpha"


def test_a_specialist_that_does_not_sit_may_merge() -> None:
    of = known(model("alpha", role="vision"), B)
    assert chosen(collection("alpha", "beta"), of) == "alpha"


def test_members_beyond_the_panel_and_those_that_are_gone_do_not_merge() -> None:
    of = known(model("alpha", retired_on="2026-01-02"), B, C, by_shape=votes(gamma=(7, 0), alpha=(9, 0)), max_calls=1)
    assert chosen(THREE, of) == "beta"


def test_a_panel_of_explorers_alone_has_no_merger() -> None:
    of = known(A, model("beta", retired_on="2026-01-02"))
    found = choose_merger(planned(collection("beta"), of), of, 10)
    assert found == NoMerger("no member can merge")


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (None, "no model has this alias"),
        (model("judge", retired_on="2026-01-02", retired_why="gone dear"), "retired on 2026-01-02: gone dear"),
        (model("judge", role="decision"), "a decision model gives typed answers and cannot merge"),
    ],
    ids=["unknown", "retired", "decision"],
)
def test_a_merger_that_cannot_be_asked_is_skipped_with_why_and_a_member_merges(judge: Any, why: str) -> None:
    of = known(A, B, *([judge] if judge else []))
    skipped = skipped_merger(with_merger("judge"), of)
    assert skipped is not None
    assert (skipped.seat, skipped.alias) == ("merger", "judge")
    assert skipped.why == f"{why}; a member was chosen by its verdicts instead"
    assert chosen(with_merger("judge"), of) == "alpha"


def test_nobody_is_skipped_where_the_merger_can_be_asked_or_none_is_set() -> None:
    assert skipped_merger(with_merger("judge"), known()) is None
    assert skipped_merger(THREE, known()) is None


def test_the_reason_of_each_choice_is_kept() -> None:
    of = known(by_shape=votes(beta=(3, 1)))
    found = [choose_merger(planned(seats, of), of, 10) for seats in (with_merger("judge"), THREE, collection("alpha"))]
    told = [(one.why, one.until) for one in found if isinstance(one, SeatPlan)]
    lost = "it rests, fails as a seat or retires"
    assert told == [
        ("the merger of bench/core", "it retires, or another one is named"),
        ("3 useful verdicts on review, 75% of all", f"another member has more of them, or {lost}"),
        ("no useful verdicts; number 1 of the members", f"another member has a useful one, or {lost}"),
    ]


def test_a_member_that_fails_large_questions_merges_many_words_last() -> None:
    of = known(model("alpha", fails_large=True), B, C)
    assert chosen(THREE, of, tokens=1_000) == "alpha"
    assert chosen(THREE, of, tokens=3_000) == "beta"

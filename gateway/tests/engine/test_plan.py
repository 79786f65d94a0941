"""Who sits in a panel, and what refuses one."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.ask import Media, Text, Turn
from gateway.canon.fault import BadRequest, Fault, TooLarge, Unavailable
from gateway.tests.engine.world import ANTHILL, ask, collection, model, plan, sitting, skips, snapshot

BENCH = [model(f"m{place}") for place in range(1, 8)]
SPARE = [model(f"spare{place}") for place in range(1, 6)]


def refusal(*words: Any, **named: Any) -> Fault:
    with pytest.raises(Fault) as caught:
        plan(*words, **named)
    return caught.value


@pytest.mark.parametrize(("members", "explorers"), [(1, 2), (2, 2), (3, 2), (4, 1), (5, 0), (6, 0)])
def test_explorers_fill_what_the_members_leave_of_five_calls(members: int, explorers: int) -> None:
    planned = plan(ask(), collection(*[f"m{n}" for n in range(1, members + 1)]), snapshot(*BENCH, *SPARE))
    assert planned.members == min(members, 5)
    assert len(planned.seats) - planned.members == explorers


@pytest.mark.parametrize(
    ("settings", "own", "explorers"),
    [
        ({}, None, 2),
        ({}, 0, 0),
        ({}, 1, 1),
        ({"max_explorers": 0}, None, 0),
        ({"max_explorers": 0}, 2, 2),
        ({"max_explorers": 1}, None, 1),
        ({"max_calls": 1}, None, 0),
        ({"max_calls": 10}, None, 2),
        ({"max_calls": 2}, 2, 1),
    ],
)
def test_a_collection_may_set_its_own_number_of_explorers(
    settings: dict[str, int], own: int | None, explorers: int
) -> None:
    planned = plan(ask(), collection("m1", max_explorers=own), snapshot(*BENCH, **settings))
    assert len(planned.seats) == 1 + explorers


def test_seats_are_labelled_and_keyed_by_their_order() -> None:
    planned = plan(ask(), collection("m2", "m1"), snapshot(*BENCH))
    assert [(seat.key, seat.label) for seat in planned.seats] == [
        ("member1", "member"),
        ("member2", "member"),
        ("explorer", "explorer"),
        ("explorer2", "explorer 2"),
    ]
    assert sitting(planned)[:2] == ["m2", "m1"]


def test_every_seat_says_why_it_sits() -> None:
    planned = plan(ask(), collection("m1"), snapshot(*BENCH))
    assert all(seat.why for seat in planned.seats)


def test_a_member_named_twice_sits_once() -> None:
    assert sitting(plan(ask(), collection("m1", "m1", "m2", max_explorers=0), snapshot(*BENCH))) == ["m1", "m2"]


def test_a_retired_member_is_skipped_with_the_date_and_the_reason() -> None:
    gone = model("gone", retired_on="2026-10-01", retired_why="withdrawn by its maker")
    planned = plan(ask(), collection("gone", "m1", max_explorers=0), snapshot(gone, *BENCH))
    seat, why = skips(planned)["gone"]
    assert seat == "member"
    assert "2026-10-01" in why
    assert "withdrawn by its maker" in why
    assert "restore" in why
    assert planned.seats[0].key == "member1"


def test_a_retired_member_without_a_reason_still_tells_the_date() -> None:
    gone = model("gone", retired_on="2026-10-01")
    planned = plan(ask(), collection("gone", "m1"), snapshot(gone, *BENCH))
    assert skips(planned)["gone"][1].startswith("retired on 2026-10-01;")


def test_a_skipped_member_passes_its_chair_to_the_next_member() -> None:
    gone = model("gone", retired_on="2026-10-01")
    planned = plan(ask(), collection("m1", "m2", "gone", "m3", "m4", "m5"), snapshot(gone, *BENCH))
    assert sitting(planned) == ["m1", "m2", "m3", "m4", "m5"]


def test_a_skipped_member_without_a_next_one_leaves_its_chair_to_an_explorer() -> None:
    gone = model("gone", retired_on="2026-10-01")
    planned = plan(ask(), collection("m1", "m2", "m3", "gone"), snapshot(gone, *BENCH))
    assert planned.members == 3
    assert len(planned.seats) == 5


def test_members_beyond_the_calls_allowed_are_not_seated() -> None:
    planned = plan(ask(), collection("m1", "m2", "m3"), snapshot(*BENCH, max_calls=2))
    assert sitting(planned) == ["m1", "m2"]


def test_a_member_nobody_knows_is_skipped() -> None:
    planned = plan(ask(), collection("ghost", "m1"), snapshot(*BENCH))
    assert skips(planned)["ghost"] == ("member", "no model has this alias")


def test_a_decision_model_never_sits_as_a_member() -> None:
    judge = model("judge", role="decision")
    planned = plan(ask(), collection("judge", "m1"), snapshot(judge, *BENCH))
    assert "judge" not in sitting(planned)
    assert skips(planned)["judge"][0] == "member"


def test_a_resting_member_is_asked_all_the_same() -> None:
    planned = plan(ask(), collection("m1", max_explorers=0), snapshot(*BENCH, cooling={"m1": 1e11}))
    assert sitting(planned) == ["m1"]


def test_a_vision_specialist_passes_its_chair_on_for_a_request_of_text() -> None:
    eyes = model("eyes", role="vision", vision=True)
    planned = plan(ask(), collection("eyes", "m1", max_explorers=0), snapshot(eyes, *BENCH))
    assert sitting(planned) == ["m1"]
    assert "images" in skips(planned)["eyes"][1]


def test_a_vision_specialist_sits_when_there_are_images() -> None:
    eyes = model("eyes", role="vision", vision=True)
    assert sitting(plan(ask(images=1), collection("eyes"), snapshot(eyes))) == ["eyes"]


@pytest.mark.parametrize(
    ("vision", "sources", "words"),
    [
        (False, {"vision": "operator"}, "does not take images (operator)"),
        (False, {}, "does not take images (catalogue)"),
        (None, {}, "not known whether"),
    ],
)
def test_a_blind_member_is_skipped_for_images_and_told_why(
    vision: bool | None, sources: dict[str, str], words: str
) -> None:
    blind = model("blind", vision=vision, sources=sources)
    eyes = model("eyes", vision=True)
    planned = plan(ask(images=1), collection("blind", "eyes", max_explorers=0), snapshot(blind, eyes))
    assert sitting(planned) == ["eyes"]
    assert words in skips(planned)["blind"][1]


def test_images_make_the_shape_vision() -> None:
    planned = plan(ask(images=2), collection("eyes"), snapshot(model("eyes", vision=True)))
    assert (planned.shape, planned.shape_by) == ("vision", "the request carries images")


def test_images_leave_a_shape_that_is_set_alone() -> None:
    planned = plan(ask(images=1), collection("eyes", shape="review"), snapshot(model("eyes", vision=True)))
    assert (planned.shape, planned.shape_by) == ("review", "set on the collection")


def test_only_models_that_see_explore_images() -> None:
    models = [model("eyes", vision=True), model("more", vision=True), model("blind", vision=False), model("unsure")]
    planned = plan(ask(images=1), collection("eyes"), snapshot(*models))
    assert sitting(planned) == ["eyes", "more"]


def test_images_count_into_the_estimate() -> None:
    known = snapshot(model("eyes", vision=True))
    plain = plan(ask("Look"), collection("eyes"), known)
    assert plan(ask("Look", images=2), collection("eyes"), known).tokens >= plain.tokens + 5_000


def test_without_explorer_places_the_shape_need_not_be_decided() -> None:
    full = collection("m1", "m2", "m3", "m4", "m5")
    planned = plan(ask(), full, snapshot(*BENCH))
    assert (planned.shape, planned.shape_by) == ("general", "no explorer seats to fill")


@pytest.mark.parametrize("explorers", [None, 2])
def test_a_collections_own_shape_is_used(explorers: int | None) -> None:
    planned = plan(ask(), collection("m1", shape="code", max_explorers=explorers), snapshot(*BENCH))
    assert (planned.shape, planned.shape_by) == ("code", "set on the collection")


def test_an_unknown_shape_is_refused_with_the_known_ones_when_explorers_are_wanted() -> None:
    fault = refusal(ask(), collection("m1", shape="sorcery"), snapshot(*BENCH))
    assert isinstance(fault, BadRequest)
    assert "sorcery" in fault.message
    assert "enumeration" in fault.message


def test_an_unknown_shape_is_no_matter_when_there_is_nobody_to_choose_by_it() -> None:
    planned = plan(ask(), collection("m1", shape="sorcery", max_explorers=0), snapshot(*BENCH))
    assert planned.shape == "general"


def test_a_prompt_larger_than_a_members_window_is_refused_with_all_of_them_named() -> None:
    models = [model("m1", context_window=1_200), model("m2", context_window=900), model("m3", context_window=10**6)]
    fault = refusal(ask("x" * 20_000), collection("m1", "m2", "m3", "m4"), snapshot(*models, model("m4")))
    assert isinstance(fault, TooLarge)
    assert fault.status == 413
    assert "5,500 tokens" in fault.message
    assert "m2 (900), m1 (1,200)" in fault.message
    assert "bench/core" in fault.message
    assert "under 900" in fault.message
    assert "/v1/models" in fault.message
    assert "m3" not in fault.message
    assert "image" not in fault.message


def test_a_refusal_for_size_says_how_images_were_counted() -> None:
    fault = refusal(ask(images=1), collection("eyes"), snapshot(model("eyes", vision=True, context_window=2_000)))
    assert "2,500" in fault.message


@pytest.mark.parametrize(("window", "fits"), [(None, True), (6, True), (5, False)])
def test_a_window_is_enough_when_it_holds_the_estimate(window: int | None, fits: bool) -> None:
    known = snapshot(model("m1", context_window=window))
    asked = ask("x" * 24)  # 24 characters are six tokens
    if fits:
        assert plan(asked, collection("m1"), known).tokens == 6
    else:
        assert refusal(asked, collection("m1"), known).status == 413


def test_a_skipped_member_with_a_small_window_refuses_nothing() -> None:
    gone = model("gone", retired_on="2026-10-01", context_window=1)
    assert sitting(plan(ask("x" * 400), collection("gone", "m1", max_explorers=0), snapshot(gone, *BENCH))) == ["m1"]


def test_explorers_whose_window_is_too_small_are_passed_over() -> None:
    models = [model("m1"), model("tiny", context_window=3), model("wide", context_window=10**6)]
    assert sitting(plan(ask("x" * 400), collection("m1"), snapshot(*models))) == ["m1", "wide"]


@pytest.mark.parametrize(
    "turns",
    [
        (),
        (Turn("user", (Text("  \n "),)),),
        (Turn("system", (Text("Be brief."),)),),
        (Turn("user", ()),),
    ],
)
def test_an_empty_prompt_is_refused(turns: tuple[Turn, ...]) -> None:
    fault = refusal(ask(turns=turns), collection("m1"), snapshot(*BENCH))
    assert (fault.status, fault.code) == (400, "empty_prompt")


def test_sounds_and_documents_are_refused_by_name() -> None:
    parts = (Text("Listen"), Media("audio", data="AAAA"), Media("document", data="AAAA"))
    fault = refusal(ask(turns=(Turn("user", parts),)), collection("m1"), snapshot(*BENCH))
    assert fault.status == 400
    assert "documents and audio" in fault.message


def test_a_member_that_takes_documents_sits_with_them_and_the_others_are_named() -> None:
    asked = ask(turns=(Turn("user", (Text("Read"), Media("document", data="AAAA", mime="application/pdf"))),))
    reader, blind = model("reader", documents=True), model("blind", documents=False)
    planned = plan(asked, collection("reader", "blind", "unsure"), snapshot(reader, blind, model("unsure")))
    assert sitting(planned) == ["reader"]
    assert "does not take documents" in skips(planned)["blind"][1]
    assert "documents fact" in skips(planned)["unsure"][1]
    assert planned.shape == "general"


def test_nobody_to_seat_is_unavailable_and_names_the_skipped() -> None:
    gone = model("gone", retired_on="2026-10-01")
    fault = refusal(ask(), collection("gone"), snapshot(gone))
    assert isinstance(fault, Unavailable)
    assert fault.status == 503
    assert "gone (retired on 2026-10-01" in fault.message


def test_nobody_who_sees_the_images_is_the_callers_matter() -> None:
    fault = refusal(ask(images=1), collection("m1"), snapshot(*BENCH))
    assert isinstance(fault, BadRequest)
    assert "m1 (it is not known" in fault.message
    assert "vision fact" in fault.message


def test_explorers_alone_may_make_a_panel() -> None:
    gone = model("gone", retired_on="2026-10-01")
    planned = plan(ask(), collection("gone"), snapshot(gone, *BENCH))
    assert planned.members == 0
    assert [seat.key for seat in planned.seats] == ["explorer", "explorer2"]


def test_a_nomination_takes_an_explorer_place_and_says_so() -> None:
    planned = plan(ask(nominated=("m5",)), collection("m1"), snapshot(*BENCH))
    assert sitting(planned)[:2] == ["m1", "m5"]
    assert planned.seats[1].why == "nominated by the caller"


def test_a_nominated_member_simply_sits_as_a_member() -> None:
    planned = plan(ask(nominated=("m1", "m1")), collection("m1", max_explorers=1), snapshot(*BENCH))
    assert sitting(planned).count("m1") == 1
    assert not planned.skipped


@pytest.mark.parametrize(
    ("alias", "why"),
    [
        ("ghost", "no model has this alias"),
        ("gone", "retired on 2026-10-01"),
        ("judge", "decision"),
        ("eyes", "images"),
    ],
)
def test_a_nomination_that_cannot_sit_is_told_and_takes_no_place(alias: str, why: str) -> None:
    models = [
        model("gone", retired_on="2026-10-01"),
        model("judge", role="decision"),
        model("eyes", role="vision"),
        *BENCH,
    ]
    planned = plan(ask(nominated=(alias,)), collection("m1"), snapshot(*models))
    assert skips(planned)[alias][0] == "with"
    assert why in skips(planned)[alias][1]
    assert len(planned.seats) == 3


def test_nominations_beyond_the_places_are_told() -> None:
    planned = plan(ask(nominated=("m5", "m6", "m7")), collection("m1"), snapshot(*BENCH))
    assert sitting(planned) == ["m1", "m5", "m6"]
    assert skips(planned) == {"m7": ("with", "no explorer place was free")}


def test_nominations_are_told_when_a_panel_has_no_explorer_places() -> None:
    planned = plan(ask(nominated=("m5",)), collection("m1", max_explorers=0), snapshot(*BENCH))
    assert skips(planned) == {"m5": ("with", "this panel has no explorer places")}


def test_a_nominated_ad_hoc_or_resting_model_sits() -> None:
    models = [model("dear", ad_hoc=True), model("tired"), *BENCH]
    planned = plan(ask(nominated=("dear", "tired")), collection("m1"), snapshot(*models, cooling={"tired": 1e11}))
    assert sitting(planned) == ["m1", "dear", "tired"]


def test_the_same_inputs_give_the_same_line_up() -> None:
    seats = [sitting(plan(ask(), collection("m1"), snapshot(*BENCH, *SPARE), seed=7)) for _ in range(5)]
    assert all(one == seats[0] for one in seats)


def test_a_rest_that_is_over_counts_no_more() -> None:
    models = [model("m1"), model("m2", endpoint=ANTHILL)]
    assert sitting(plan(ask(), collection("m1"), snapshot(*models, cooling={"m2": 1_000.0}))) == ["m1", "m2"]
    assert sitting(plan(ask(), collection("m1"), snapshot(*models, cooling={"m2": 1e11}))) == ["m1"]

"""Who may take a turn and in which order, and what refuses one."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from gateway.canon.ask import Ask, BenchField, Media, Text, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.canon.fault import BadRequest, Fault, TooLarge, Unavailable
from gateway.engine.moment import Moment
from gateway.engine.route_plan import EXPLORED, RoutePlan, first_message, order_of, plan_route
from gateway.engine.snapshot import CollectionView, Snapshot, Votes
from gateway.tests.engine.world import ANTHILL, IMAGE, NOW, ask, collection, model, snapshot

LOOK = Tool("look")
PAPER = Media("document", data="JVBERg==", mime="application/pdf")
THREE = snapshot(model("a"), model("b"), model("c"))
CORE = collection("a", "b", "c")


class Steady(Random):
    """Draws the same number every time."""

    def __init__(self, number: float) -> None:
        super().__init__(1)
        self.number = number

    def random(self) -> float:
        return self.number


def planned(
    asked: Ask, seats: CollectionView = CORE, known: Snapshot = THREE, rng: Random | None = None, **moment: Any
) -> RoutePlan:
    at = Moment(NOW, moment.get("last_work", {}), moment.get("resting", known.cooling))
    return plan_route(asked, seats, known, at, rng or Steady(0.9))


def refusal(*words: Any, **named: Any) -> Fault:
    with pytest.raises(Fault) as caught:
        planned(*words, **named)
    return caught.value


@pytest.mark.parametrize(
    ("facts", "asked", "why"),
    [
        ({"retired_on": "2026-11-01", "retired_why": "gone"}, ask(), "retired on 2026-11-01: gone"),
        ({"retired_on": "2026-11-01"}, ask(), "retired on 2026-11-01"),
        ({"ad_hoc": True}, ask(), "an ad hoc model is asked by name only"),
        ({"role": "decision"}, ask(), "a decision model gives typed answers and takes no turns"),
        ({"role": "vision", "vision": True}, ask(), "a vision specialist takes turns only when they carry images"),
        (
            {"endpoint": msgspec.structs.replace(ANTHILL, api="soap")},
            ask(),
            "this server does not speak the 'soap' protocol of its endpoint",
        ),
        (
            {},
            ask(tools=(LOOK,)),
            "it is not known whether this model calls tools; set its tools fact if it does",
        ),
        ({"tools": False, "sources": {"tools": "probe"}}, ask(tools=(LOOK,)), "does not call tools (probe)"),
        ({"tools": False}, ask(tools=(LOOK,)), "does not call tools (catalogue)"),
        ({"vision": False}, ask(images=1), "does not take images (catalogue)"),
        (
            {},
            ask(images=1),
            "it is not known whether this model takes images; set its vision fact if it does",
        ),
        (
            {"vision": True, "documents": False, "sources": {"documents": "operator"}},
            ask(turns=(Turn("user", (IMAGE, PAPER)),)),
            "does not take documents (operator)",
        ),
    ],
)
def test_a_member_that_cannot_take_the_turn_is_passed_over_with_a_sentence(
    facts: dict[str, Any], asked: Ask, why: str
) -> None:
    able = model("able", tools=True, vision=True, documents=True)
    plan = planned(asked, collection("odd", "able"), snapshot(model("odd", **facts), able))
    assert plan.eligible == ("able",)
    assert [(one.alias, one.why) for one in plan.passed] == [("odd", why)]


def test_a_member_whose_model_is_gone_is_passed_over() -> None:
    plan = planned(ask(), collection("ghost", "a"))
    assert [(one.alias, one.why) for one in plan.passed] == [("ghost", "no model has this alias")]


def test_a_window_smaller_than_the_request_is_told_with_both_numbers() -> None:
    plan = planned(ask("x" * 8_000), collection("a", "b"), snapshot(model("a", context_window=1_000), model("b")))
    ((passed,), tokens) = plan.passed, plan.tokens
    assert tokens > 1_000
    assert passed.why == f"the request needs about {tokens:,} tokens and its context window is 1,000"


@pytest.mark.parametrize("fits", [True, False])
def test_a_window_of_exactly_the_estimate_is_enough(fits: bool) -> None:
    tokens = planned(ask("x" * 400)).tokens
    known = snapshot(model("a", context_window=tokens if fits else tokens - 1), model("b"))
    assert ("a" in planned(ask("x" * 400), collection("a", "b"), known).eligible) is fits


def test_the_first_reason_is_the_one_that_is_told() -> None:
    known = snapshot(model("a", retired_on="2026-11-01", ad_hoc=True, tools=False, context_window=1), model("b"))
    (passed,) = planned(ask(), collection("a", "b"), known).passed
    assert passed.why == "retired on 2026-11-01"


@pytest.mark.parametrize(
    "turns",
    [
        (Turn("assistant", (ToolCall("c1", "look", "{}"),)),),
        (Turn("user", (ToolResult("c1", (Text("done"),)),)),),
    ],
)
def test_calls_and_results_in_the_history_are_work_for_members_that_call_tools(turns: tuple[Turn, ...]) -> None:
    known = snapshot(model("a"), model("b", tools=True))
    assert planned(ask(turns=(*ask().turns, *turns)), collection("a", "b"), known).eligible == ("b",)


def test_a_member_listed_twice_is_tried_once() -> None:
    assert planned(ask(), collection("a", "b", "a")).eligible == ("a", "b")


def test_all_members_are_eligible_however_many_calls_a_panel_may_make() -> None:
    names = [f"m{place}" for place in range(8)]
    known = snapshot(*map(model, names), max_calls=2)
    assert len(planned(ask(), collection(*names), known).eligible) == 8


def test_a_collection_without_members_cannot_serve() -> None:
    fault = refusal(ask(), collection())
    assert isinstance(fault, Unavailable)
    assert (fault.status, fault.code) == (503, "empty_panel")
    assert "bench/core has no members" in fault.message


def test_a_request_without_messages_is_refused() -> None:
    fault = refusal(ask(turns=()))
    assert (fault.status, fault.code) == (400, "empty_prompt")


def test_when_every_window_is_too_small_the_request_is_too_large() -> None:
    known = snapshot(model("a", context_window=100), model("b", context_window=200))
    fault = refusal(ask("x" * 8_000), collection("a", "b"), known)
    assert isinstance(fault, TooLarge)
    assert (fault.status, fault.code) == (413, "context_length_exceeded")
    assert "a (the request needs about" in fault.message
    assert "b (the request needs about" in fault.message
    assert "Trim it under 200" in fault.message


def test_one_reason_of_another_kind_makes_it_a_bad_request() -> None:
    known = snapshot(model("a", context_window=100), model("b", retired_on="2026-11-01"))
    fault = refusal(ask("x" * 8_000), collection("a", "b"), known)
    assert isinstance(fault, BadRequest)
    assert (fault.status, fault.code) == (400, "nobody_can")
    assert "b (retired on 2026-11-01)" in fault.message


def test_a_small_window_is_a_reason_beside_another_of_the_same_member() -> None:
    """A member that is both blind and too small could not take a trimmed request without images either way."""
    known = snapshot(model("a", vision=False, context_window=10))
    assert refusal(ask("x" * 400, images=1), collection("a"), known).status == 413


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ({"tools": (Tool("web_search", kind="vendor"),)}, 400),
        (
            {"tools": (LOOK, Tool("web_search", kind="vendor")), "tool_choice": ToolChoice("named", "web_search")},
            400,
        ),
        ({"tools": (LOOK, Tool("web_search", kind="vendor")), "bench": BenchField(strict=True)}, 400),
    ],
)
def test_tools_that_only_a_provider_runs_are_refused_where_nothing_else_is_meant(
    facts: dict[str, Any], status: int
) -> None:
    known = snapshot(model("a", tools=True))
    assert refusal(ask(**facts), collection("a"), known).status == status


def test_by_record_the_member_with_most_useful_work_goes_first_and_equals_keep_their_order() -> None:
    known = snapshot(model("a"), model("b"), model("c"), useful={"c": 2.5, "b": 1.0}, not_useful={"c": 99.0})
    assert planned(ask(), known=known).eligible == ("c", "b", "a")
    assert planned(ask()).eligible == ("a", "b", "c")


def test_who_rests_goes_last_in_the_same_order() -> None:
    known = snapshot(model("a"), model("b"), model("c"), useful={"a": 3.0, "b": 2.0})
    resting = {"a": NOW + 60, "b": NOW + 1, "c": NOW - 1}
    assert planned(ask(), known=known, resting=resting).eligible == ("c", "a", "b")


def test_a_quarter_of_new_conversations_go_to_the_member_whose_record_is_oldest() -> None:
    rng = Random(7)
    worked = {"a": NOW - 5, "b": NOW - 50, "c": NOW - 10}
    firsts = [planned(ask(), rng=rng, last_work=worked).eligible[0] for _ in range(4_000)]
    assert set(firsts) == {"a", "b"}
    assert firsts.count("b") / len(firsts) == pytest.approx(EXPLORED, abs=0.03)


@pytest.mark.parametrize(("drawn", "first"), [(0.2499, "c"), (0.25, "a")])
def test_a_member_that_never_worked_is_the_oldest(drawn: float, first: str) -> None:
    plan = planned(ask(), rng=Steady(drawn), last_work={"a": NOW, "b": NOW - 1})
    assert plan.eligible[0] == first
    assert sorted(plan.eligible) == ["a", "b", "c"]


def test_nobody_who_rests_is_explored() -> None:
    plan = planned(ask(), rng=Steady(0.0), last_work={"a": NOW, "b": NOW - 1}, resting={"c": NOW + 9})
    assert plan.eligible == ("b", "a", "c")
    alone = planned(ask(), rng=Steady(0.0), last_work={"a": NOW}, resting={"b": NOW + 9, "c": NOW + 9})
    assert alone.eligible == ("a", "b", "c")


def test_by_bayes_the_order_is_drawn_from_what_is_known_of_each() -> None:
    lately = {"": {"a": Votes(60.0, 0.0), "b": Votes(6.0, 60.0)}}
    known = snapshot(model("a"), model("b"), model("c"), lately=lately)
    seats = collection("b", "a", "c", ranking="bayes")
    rng = Random(3)
    firsts = [planned(ask(), seats, known, rng).eligible[0] for _ in range(600)]
    assert firsts.count("a") > 500
    assert firsts.count("b") == 0
    assert 0 < firsts.count("c") < 60  # of whom nothing is known, and who is tried for that
    rested = planned(ask(), seats, known, Random(3), resting={"a": NOW + 9})
    assert rested.eligible[-1] == "a"


def test_by_bayes_the_work_of_the_collections_shape_counts_first() -> None:
    lately = {
        "": {"a": Votes(90.0, 90.0), "b": Votes(90.0, 90.0)},
        "code": {"a": Votes(80.0, 10.0), "b": Votes(10.0, 80.0)},
        "prose": {"a": Votes(10.0, 80.0), "b": Votes(80.0, 10.0)},
    }
    known = snapshot(model("a"), model("b"), lately=lately)
    for shape, best in (("code", "a"), ("prose", "b")):
        seats = collection("a", "b", ranking="bayes", shape=shape)
        assert {planned(ask(), seats, known, Random(seed)).eligible[0] for seed in range(50)} == {best}


def test_by_bayes_a_member_that_has_not_worked_for_a_week_takes_the_next_conversation() -> None:
    known = snapshot(model("a"), model("b"), lately={"": {"a": Votes(60.0, 0.0), "b": Votes(0.0, 60.0)}})
    seats, week = collection("a", "b", ranking="bayes"), 7 * 86_400.0
    for worked, first in ((week - 1, "a"), (week, "b")):
        planned_now = planned(ask(), seats, known, Random(1), last_work={"a": NOW - 60, "b": NOW - worked})
        assert planned_now.eligible[0] == first
    rested = planned(ask(), seats, known, Random(1), last_work={"b": NOW - week}, resting={"b": NOW + 9})
    assert rested.eligible == ("a", "b")


@pytest.mark.parametrize(
    ("alias", "remembered", "order"),
    [
        ("b", ("b", "a", "c"), ("b", "a", "c")),
        ("b", ("c", "b", "a"), ("b", "c", "a")),
        ("b", ("gone", "b"), ("b", "a", "c")),
        ("gone", ("gone", "c", "a"), ("a", "b", "c")),
        ("c", (), ("c", "a", "b")),
    ],
)
def test_a_conversation_keeps_its_member_then_the_order_it_began_with(
    alias: str, remembered: tuple[str, ...], order: tuple[str, ...]
) -> None:
    assert order_of(planned(ask()), alias, remembered) == order


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((Turn("system", (Text("Be kind."),)), Turn("user", (Text("Why\n is  it?"),))), "Why is it?"),
        ((Turn("user", (Text("y" * 200),)),), "y" * 90),
        ((Turn("assistant", (Text("Hi."),)), Turn("user", (Text("One"), Text("two")))), "One two"),
        ((Turn("assistant", (Text("Hi."),)),), ""),
    ],
)
def test_the_task_is_the_start_of_the_first_message(turns: tuple[Turn, ...], words: str) -> None:
    assert first_message(ask(turns=turns)) == words


def test_what_was_attached_is_no_part_of_the_task() -> None:
    task = first_message(ask("Look", images=1))
    assert task.startswith("Look [")
    assert IMAGE.data not in task


@pytest.mark.parametrize(
    ("texts", "task"),
    [
        (["Fix the parser."], "Fix the parser."),
        (["<system-reminder>\nToday is Sunday.\n</system-reminder>", "Fix the parser."], "Fix the parser."),
        (["<a>one</a>\n<b>two</b>\nFix the parser."], "Fix the parser."),
        (["<environment_context>linux</environment_context>"], "<environment_context>linux</environment_context>"),
        (["<p>Why is this not closed?"], "<p>Why is this not closed?"),
        (["x < y and <b>bold</b>"], "x < y and <b>bold</b>"),
    ],
)
def test_the_task_is_what_the_person_said_and_not_what_a_program_wrote_around_it(texts: list[str], task: str) -> None:
    asked = ask(turns=(Turn("system", (Text("Be brief."),)), Turn("user", tuple(map(Text, texts)))))
    assert first_message(asked) == task


def test_a_turn_of_a_program_alone_is_passed_over_for_the_persons_own() -> None:
    turns = (Turn("user", (Text("<env>linux</env>"),)), Turn("user", (Text("Fix the parser."),)))
    assert first_message(ask(turns=turns)) == "Fix the parser."

"""Who picks the shape, what an answer means, and what is remembered: tables."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gateway.canon.fault import Broken
from gateway.canon.kinds import Shape
from gateway.engine.json_fit import fits
from gateway.engine.picker_memory import KEPT_S, MOST_KEPT, REST_S, PickerMemory
from gateway.engine.picker_plan import (
    SHAPES,
    Picked,
    accept,
    chat_ask,
    failed,
    find_picker,
    question,
    read_chat,
    read_state,
)
from gateway.engine.snapshot import DecisionView
from gateway.tests.engine.world import ANTHILL, HIVE, model, snapshot

GENERAL, CODE, REVIEW = Shape.GENERAL, Shape.CODE, Shape.REVIEW


def decider(alias: str, **facts: Any) -> DecisionView:
    given: dict[str, Any] = {"id": len(alias), "served": f"lab/{alias}", "endpoint": ANTHILL}
    return DecisionView(alias=alias, **(given | facts))


ONE, TWO = decider("one"), decider("second")


@pytest.mark.parametrize(
    ("decisions", "asked"),
    [
        ((), ""),
        ((ONE, TWO), "one"),
        ((TWO, ONE), "second"),
        ((decider("one", ad_hoc=True), TWO), "second"),
        ((decider("one", question_types=("noul", "score")), TWO), "second"),
        ((decider("one", ad_hoc=True),), ""),
    ],
)
def test_the_first_decision_model_that_takes_a_choice_is_asked(decisions: tuple[DecisionView, ...], asked: str) -> None:
    found = find_picker(snapshot(model("fast"), decisions=decisions))
    if asked:
        assert not isinstance(found, Picked)
        assert found.alias == asked
    else:
        assert found == Picked(GENERAL, "no decision model onboarded")


@pytest.mark.parametrize(
    ("picker", "shape_by"),
    [
        ("off", "the shape picker is off"),
        ("ghost", "ghost failed (no model has this alias)"),
        ("old", "old failed (retired on 2026-11-01)"),
        ("plain", "plain failed (it gives no structured output)"),
        ("typed", "typed failed (its role is decision, but it is no decision model)"),
        ("fast", ""),
        ("hidden", ""),
    ],
)
def test_the_setting_names_who_is_asked(picker: str, shape_by: str) -> None:
    models = (
        model("fast"),
        model("old", retired_on="2026-11-01"),
        model("plain", structured_output=False),
        model("typed", role="decision"),
    )
    found = find_picker(snapshot(*models, decisions=(ONE, decider("hidden", ad_hoc=True)), picker=picker))
    if shape_by:
        assert found == Picked(GENERAL, shape_by)
    else:
        assert not isinstance(found, Picked)
        assert found.alias == picker


@pytest.mark.parametrize(
    ("choice", "confidence", "shape", "shape_by"),
    [
        ("code", 0.97, CODE, "one, 0.97"),
        ("review", 0.6, REVIEW, "one, 0.60"),
        ("general", 1.0, GENERAL, "one, 1.00"),
        ("code", 0.42, GENERAL, "one unsure (code at 0.42)"),
        ("vision", 0.99, GENERAL, "one unsure (vision at 0.99)"),
        ("image", 0.99, GENERAL, "one unsure (image at 0.99)"),
        ("dance", 0.9, GENERAL, "one unsure (dance at 0.90)"),
        ("a\nb\x00" + "c" * 100, 0.9, GENERAL, f"one unsure (a b{'c' * 37} at 0.90)"),
    ],
)
def test_a_choice_counts_when_it_is_on_offer_and_sure(
    choice: str, confidence: float, shape: Shape, shape_by: str
) -> None:
    assert accept("one", choice, confidence) == Picked(shape, shape_by)


def test_why_it_failed_is_told_in_eighty_characters_on_one_line() -> None:
    assert failed("one", "503:\n busy" + "!" * 200) == Picked(GENERAL, "one failed (503: busy" + "!" * 71 + ")")


@pytest.mark.parametrize(
    ("system", "prompt", "state"),
    [("", "Why?", "Why?"), ("Be kind.", "Why?", "Be kind.\n\nWhy?"), ("a" * 19_999, "b" * 9, "a" * 19_999 + "\n")],
)
def test_the_picker_sees_the_start_of_system_and_prompt(system: str, prompt: str, state: str) -> None:
    assert read_state(system, prompt) == state


def test_seven_shapes_are_on_offer_each_with_a_sentence() -> None:
    assert set(SHAPES) == set(Shape) - {Shape.VISION, Shape.IMAGE}
    assert question().criteria == {str(shape): words for shape, words in SHAPES.items()}
    assert all(words.endswith(".") and len(words.split()) > 8 for words in SHAPES.values())


def test_a_chat_model_is_asked_for_one_of_the_shapes_and_a_number() -> None:
    ask = chat_ask(model("fast"), "Find the bug.")
    assert [turn.role for turn in ask.turns] == ["system", "user"]
    assert ask.turns[1].text == "Find the bug."
    assert all(f"{shape}: {words}" in ask.turns[0].text for shape, words in SHAPES.items())
    assert ask.output is not None
    assert ask.output.schema is not None
    schema = msgspec.json.decode(ask.output.schema)
    assert fits(schema, {"shape": "code", "confidence": 0.5})
    assert not fits(schema, {"shape": "vision", "confidence": 0.5})
    assert not fits(schema, {"shape": "code"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"shape": "code", "confidence": 0.9}', ("code", 0.9)),
        ('```json\n{"shape": "code", "confidence": 1}\n```', ("code", 1.0)),
        ("", None),
        ("code", None),
        ('{"shape": "code"}', None),
        ('{"shape": "code", "confidence": "high"}', None),
        ('{"shape": "code", "confidence": 97}', None),
        ("[" * 5_000, None),
    ],
)
def test_a_chat_model_s_answer_is_read_or_refused(text: str, told: tuple[str, float] | None) -> None:
    if told is not None:
        assert read_chat(text) == told
        return
    with pytest.raises(Broken):
        read_chat(text)


SURE = Picked(CODE, "one, 0.97")
DOWN = failed("one", "503: busy")


def test_a_pick_is_remembered_for_ten_minutes_for_the_same_state_and_picker() -> None:
    memory = PickerMemory()
    memory.keep(ONE, "a", SURE, 0.0)
    assert memory.recall(ONE, "a", KEPT_S - 1) == SURE
    assert memory.recall(ONE, "a", KEPT_S) is None
    assert memory.recall(ONE, "b", 1.0) is None
    assert memory.recall(TWO, "a", 1.0) is None
    assert memory.recall(decider("one", served="lab/new"), "a", 1.0) is None


def test_memory_is_bounded_and_the_oldest_goes_first() -> None:
    memory = PickerMemory()
    for number in range(MOST_KEPT + 1):
        memory.keep(ONE, str(number), SURE, 0.0)
    assert [memory.recall(ONE, str(number), 1.0) is None for number in (0, 1, MOST_KEPT)] == [True, False, False]


def test_who_failed_rests_a_minute_unless_it_is_set_up_otherwise_or_answers() -> None:
    memory = PickerMemory()
    memory.keep(ONE, "a", SURE, 0.0)
    memory.note_failure(ONE, DOWN, 1.0)
    assert memory.recall(ONE, "a", 2.0) == memory.recall(ONE, "b", REST_S) == DOWN
    assert memory.recall(ONE, "b", REST_S + 1) is None
    assert memory.recall(decider("one", endpoint=HIVE), "b", 2.0) is None
    memory.keep(ONE, "c", SURE, 3.0)
    assert memory.recall(ONE, "b", 4.0) is None


def test_a_state_that_is_not_unicode_can_be_remembered() -> None:
    memory = PickerMemory()
    memory.keep(ONE, "\ud800", SURE, 0.0)
    assert memory.recall(ONE, "\ud800", 1.0) == SURE

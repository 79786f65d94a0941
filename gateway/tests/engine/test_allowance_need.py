"""What is reserved for a request before anything is known."""

from __future__ import annotations

import pytest

from gateway.canon.ask import Ask, BenchField, Knobs
from gateway.canon.embedding import EmbedAsk
from gateway.engine.allowance_need import need_of_embedding, need_of_panel, need_of_turn
from gateway.engine.grant import Amounts
from gateway.engine.snapshot import Snapshot
from gateway.tests.engine.world import ask, collection, model, snapshot

CHEAP = {"input": 0.5, "output": 1.0}
DEAR = {"input": 2.0, "output": 10.0}
SEATS = collection("a", "b")
KNOWN = snapshot(model("a", prices=CHEAP), model("b"), model("x", prices=DEAR), model("y"), max_calls=4)
PROMPT = ask("x" * 400)  # 110 tokens
SHORT = ask("x" * 400, knobs=Knobs(max_tokens=90))


def test_a_turn_is_one_answer_of_the_dearest_member() -> None:
    assert need_of_turn(SHORT, SEATS, KNOWN) == Amounts(1, 200, 110 * 500 + 90 * 1_000)
    assert need_of_turn(PROMPT, SEATS, KNOWN) == Amounts(1, 1_110, 110 * 500 + 1_000 * 1_000)
    assert need_of_turn(SHORT, collection("b", "gone"), KNOWN) == Amounts(1, 200, 0)


@pytest.mark.parametrize(
    ("wishes", "mode", "answers", "dear"),
    [
        (BenchField(), "all", 4, True),
        (BenchField(explorers=0), "all", 2, False),
        (BenchField(explorers=1), "all", 3, True),
        (BenchField(seats=1), "all", 1, True),
        (BenchField(explorers=0), "merged", 3, True),
        (BenchField(only=("a",)), "all", 1, False),
        (BenchField(only=("a", "x")), "choices", 2, True),
    ],
)
def test_a_panel_is_all_who_may_sit_at_the_price_of_the_dearest(
    wishes: BenchField, mode: str, answers: int, dear: bool
) -> None:
    asked = ask("x" * 400, knobs=Knobs(max_tokens=90), bench=wishes)
    one = 110 * 2_000 + 90 * 10_000 if dear else 110 * 500 + 90 * 1_000
    assert need_of_panel(asked, SEATS, KNOWN, mode) == Amounts(1, answers * 200, answers * one)


def test_vectors_have_no_output() -> None:
    asked = EmbedAsk("openai_chat", "bench/core", ("x" * 400, "y" * 40))
    assert need_of_embedding(asked, SEATS, KNOWN) == Amounts(1, 121, 121 * 500)


def test_what_is_less_than_a_nano_dollar_counts_as_one() -> None:
    known: Snapshot = snapshot(model("a", prices={"input": 0.000001}))
    asked: Ask = ask("x" * 4, knobs=Knobs(max_tokens=1))
    assert need_of_turn(asked, collection("a"), known).money == 1

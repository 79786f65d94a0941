"""What a merger is asked, and the words around its answer."""

from __future__ import annotations

import pytest

from gateway.canon.ask import Text, Turn
from gateway.engine import merge_text, panel_text
from gateway.engine.panel_fields import Answered
from gateway.tests.engine.test_panel_text import PANEL, row
from gateway.tests.engine.world import IMAGE, ask, collection, model, plan, snapshot

ROWS = [
    row("member1", "member", "m1", answer="Blue.\n"),
    row("member2", "member", "m2", status="error", error="429: slow down", answer="half a"),
    row("explorer", "explorer", "m3", status="empty", answer=" "),
    row("explorer2", "explorer 2", "m4", answer="Violet, we just do not see it."),
]
MERGER = row("merger", "merger", "m1", answer="Mostly blue.")


def test_the_merger_reads_the_request_and_every_answer_under_its_seat() -> None:
    turns = (Turn("system", (Text("Be brief."),)), Turn("user", (Text("Why is it blue?"), IMAGE)))
    seeing = snapshot(model("m1", vision=True))
    planned = plan(ask(turns=turns), collection("m1"), seeing)
    assert merge_text.merge_prompt(planned, ROWS) == (
        "# The request\n\nBe brief.\n\nWhy is it blue?\n[image: data URL, 1 KB]\n\n"
        "# The answers\n\n2 of 4 answered; nothing came from member m2, explorer m3.\n\n"
        "## member — m1\n\nBlue.\n\n"
        "## explorer 2 — m4\n\nViolet, we just do not see it."
    )


def test_nothing_is_said_of_seats_that_failed_where_none_did() -> None:
    planned = plan(ask(), collection("m1"), snapshot(model("m1")))
    assert "answered" not in merge_text.merge_prompt(planned, ROWS[:1])


@pytest.mark.parametrize("asked", ["seat and alias", "Minority report", "proves nothing", "no instruction"])
def test_the_instruction_asks_for_what_a_merged_answer_must_have(asked: str) -> None:
    assert asked in merge_text.INSTRUCTION


def test_the_closing_names_the_merger_and_how_every_seat_stands() -> None:
    assert merge_text.closing(MERGER, ROWS) == (
        f"\n\n---\nMerged by m1 (`{PANEL}.merger`) from m1 ok, m2 error, m3 empty, m4 ok. 2 of 4 answered. "
        "The `bench` field has every answer and its call id.\n"
    )
    assert "answered" not in merge_text.closing(MERGER, [ROWS[0], ROWS[3]])


def test_answers_are_counted_over_all_seats() -> None:
    assert merge_text.count_answers(ROWS) == Answered(2, 4)
    assert merge_text.count_answers([]) == Answered(0, 0)


def test_a_fallback_is_a_line_in_italics_that_says_how_many_answered() -> None:
    assert merge_text.unavailable("m1 sent no text", ROWS) == (
        "*Merged reply unavailable: m1 sent no text. 2 of 4 answered.*\n\n"
    )
    assert merge_text.unavailable("m1 sent no text", ROWS[:1]) == "*Merged reply unavailable: m1 sent no text.*\n\n"


@pytest.mark.parametrize(("part", "before"), [("Mostly", ""), ("```py\nx = 1", "\n```"), ("```\nx\n```\nso", "")])
def test_a_merger_that_broke_off_is_told_of_outside_its_code(part: str, before: str) -> None:
    told = merge_text.broke_off("m1 failed: reset", ROWS[:1], part)
    assert told == f"{before}\n\n*The merged reply broke off here: m1 failed: reset. Every answer follows.*\n\n"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"status": "empty"}, "m1 sent no text"),
        ({"status": "error", "error": "401: bad\nkey."}, "m1 failed: 401: bad key"),
        ({"status": "error", "error": "e" * 500}, f"m1 failed: {'e' * 300}"),
    ],
)
def test_why_a_merger_gave_no_reply_is_one_line(facts: dict[str, str], why: str) -> None:
    assert merge_text.why_not(row("merger", "merger", "m1", **facts)) == why


@pytest.mark.parametrize(
    ("text", "end"),
    [("", ""), ("plain `code`", ""), ("```", "\n```"), ("  ```js\na\n  ```", ""), ("```a\n```\n\n```b", "\n```")],
)
def test_a_block_of_code_left_open_is_closed(text: str, end: str) -> None:
    assert panel_text.close_fence(text) == end

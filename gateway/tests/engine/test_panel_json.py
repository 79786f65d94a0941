"""Which seat's JSON a panel shows."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import OutputFormat
from gateway.canon.kinds import SeatStatus
from gateway.engine.panel_json import Structured, choose_document, no_document, strip_fence
from gateway.engine.records import SeatRow

PANEL = "p20261129-120000-beef"
ANY = OutputFormat("json_object")
PERSON = OutputFormat(
    "json_schema",
    schema=Raw(b'{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}'),
)
LIST = OutputFormat("json_schema", schema=Raw(b'{"type":"array"}'))
FREE = OutputFormat("json_schema")
ADA, BOB = '{"name": "Ada"}', '{"name": "Bob"}'


def rows(*answers: str | None) -> list[SeatRow]:
    """A seat for each answer; None is one that failed with half an answer."""
    return [
        SeatRow(
            call=f"{PANEL}.member{place}",
            panel_id=PANEL,
            place=place,
            label="member",
            alias=f"m{place}",
            language_model_id=place,
            connection="anthill",
            why="",
            status=SeatStatus.ERROR if answer is None else SeatStatus.OK if answer else SeatStatus.EMPTY,
            answer=ADA if answer is None else answer,
            error="429: slow down\nplease" if answer is None else "",
        )
        for place, answer in enumerate(answers, 1)
    ]


@pytest.mark.parametrize(
    ("output", "answers", "shown", "place", "agree"),
    [
        (PERSON, (ADA,), ADA, 1, 1),
        (PERSON, (ADA, BOB, BOB), BOB, 2, 2),
        (PERSON, (ADA, BOB), ADA, 1, 1),
        (PERSON, (BOB, ADA, ADA, BOB), BOB, 1, 2),
        (PERSON, (ADA, BOB, '{ "name":"Bob" }'), BOB, 2, 2),
        (PERSON, ("Ada, of course.", BOB), BOB, 2, 1),
        (PERSON, (None, None, BOB), BOB, 3, 1),
        (PERSON, ("", f"```json\n{BOB}\n```"), BOB, 2, 1),
        # A value that fits comes before one that more gave.
        (PERSON, ('{"nom": "Ada"}', '{"nom": "Ada"}', BOB), BOB, 3, 1),
        (PERSON, ('{"name": 5}', "[]", '{"name": "Eve"}'), '{"name": "Eve"}', 3, 1),
        # Where nothing fits, JSON is still better than none.
        (PERSON, ("[1]", "[2]", "[2]"), "[2]", 2, 2),
        (ANY, ("42", "prose", '{"a": 1}'), '{"a": 1}', 3, 1),
        (ANY, ("[1]", "[1.0]"), "[1]", 1, 2),
        (LIST, (ADA, ADA, "[]"), "[]", 3, 1),
        (FREE, ("1", "true", "1"), "1", 1, 2),
    ],
)
def test_the_value_that_most_seats_gave_is_shown(
    output: OutputFormat, answers: tuple[str | None, ...], shown: str, place: int, agree: int
) -> None:
    assert choose_document(output, rows(*answers)) == (
        shown,
        Structured(f"{PANEL}.member{place}", agree, len(answers)),
    )


@pytest.mark.parametrize(
    "answers", [(), ("prose",), (None,), ("",), ("```json\nprose\n```", '{"name": ', f"{ADA} {BOB}", "[" * 3_000)]
)
def test_without_json_there_is_nothing_to_show(answers: tuple[str | None, ...]) -> None:
    assert choose_document(PERSON, rows(*answers)) is None


def test_the_refusal_names_the_panel_and_what_became_of_each_seat() -> None:
    fault = no_document(PANEL, rows("prose", None, ""))
    assert (fault.status, fault.code) == (502, "no_json")
    assert PANEL in fault.message
    assert "m1 (its answer is not JSON); m2 (429: slow down please); m3 (empty)" in fault.message


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (" {} \n", "{}"),
        ("```json\n{}\n```", "{}"),
        ("\n```\n[1]```\n", "[1]"),
        ("```json\n{\n}\n```", "{\n}"),
        ("Here: ```json\n{}\n```", "Here: ```json\n{}\n```"),
        ("```", "```"),
        ("```{}```", "```{}```"),
    ],
)
def test_a_fence_around_all_of_an_answer_is_taken_off(text: str, inside: str) -> None:
    assert strip_fence(text) == inside


def test_what_is_shown_is_written_as_the_seat_wrote_it() -> None:
    big = '{"n": 123456789012345678901234567890, "x": 1.10}'
    chosen = choose_document(ANY, rows(f"```json\n{big}\n```"))
    assert chosen is not None
    assert chosen[0] == big
    assert msgspec.to_builtins(chosen[1]) == {"call": f"{PANEL}.member1", "agree": 1, "of": 1}

"""A panel's reply as text and as data."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest

from gateway.engine import panel_text
from gateway.engine.panel_fields import panel_field
from gateway.engine.plan import PanelPlan
from gateway.engine.records import SeatRow
from gateway.tests.engine.world import ask, collection, model, plan, snapshot

PANEL = "p20261129-120000-beef"
MODELS = [model("m1"), model("m2"), model("m3")]


def planned(*members: str) -> PanelPlan:
    return plan(ask("A secret prompt"), collection(*(members or ("m1", "m2"))), snapshot(*MODELS))


def row(key: str, label: str, alias: str, **facts: Any) -> SeatRow:
    given: dict[str, Any] = {
        "call": f"{PANEL}.{key}",
        "panel_id": PANEL,
        "place": 1,
        "label": label,
        "alias": alias,
        "language_model_id": 1,
        "connection": "anthill",
        "why": "",
        "status": "ok",
        "answer": f"{alias} says blue.",
        "seconds": 1.25,
    }
    return SeatRow(**(given | facts))


ROWS = [
    row("member1", "member", "m1"),
    row("member2", "member", "m2", status="error", error="429: slow down", answer="", seconds=0.0),
    row("explorer", "explorer", "m3", status="empty", answer=""),
]


def test_the_whole_text_is_this() -> None:
    assert panel_text.whole(PANEL, planned(), ROWS) == (
        "Bench bench/core p20261129-120000-beef · 2 members + 1 explorers · "
        "explorer shape general (no decision model onboarded)\n"
        "\n## member — m1\n`p20261129-120000-beef.member1` · ok · 1.2s\n\nm1 says blue.\n"
        "\n## member — m2\n`p20261129-120000-beef.member2` · error · 0.0s\n\n*error: 429: slow down*\n"
        "\n## explorer — m3\n`p20261129-120000-beef.explorer` · empty · 1.2s\n\n"
        "*empty: the model sent no text; usually its token budget was spent, it does not mean it cannot*\n"
        "\n---\nOnce you have checked an answer against your work, record a verdict for its seat.\n"
        "`POST /bench/verdict` with its call id, or `bench verdict p20261129-120000-beef.<seat> --useful`.\n"
    )


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_pieces_of_a_stream_are_the_whole_but_for_the_order_of_the_seats(order: tuple[int, ...]) -> None:
    plan = planned()
    sections = [panel_text.section(ROWS[index]) for index in order]
    streamed = panel_text.header(PANEL, plan) + "".join(sections) + panel_text.footer(PANEL)
    assert streamed == panel_text.whole(PANEL, plan, [ROWS[index] for index in order])
    whole = panel_text.whole(PANEL, plan, ROWS)
    assert all(section in whole for section in sections)
    assert len(streamed) == len(whole)


def test_who_was_not_asked_stands_below_the_header() -> None:
    head = panel_text.header(PANEL, planned("m1", "ghost", "phantom"))
    assert head.endswith("\n\nNot asked: ghost (no model has this alias); phantom (no model has this alias)\n")


def test_a_long_error_is_cut_at_300_characters() -> None:
    text = panel_text.section(row("member1", "member", "m1", status="error", error="e" * 500))
    assert "e" * 300 in text
    assert "e" * 301 not in text


def read(plan: PanelPlan, rows: list[SeatRow]) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(panel_field(PANEL, plan, rows))
    return found


def test_the_bench_object_has_exactly_these_keys() -> None:
    found = read(planned(), ROWS)
    assert list(found) == ["panel", "collection", "shape", "shape_by", "seats", "verdict"]
    assert found["panel"] == PANEL
    assert found["collection"] == "bench/core"
    assert found["verdict"].startswith("POST /bench/verdict {")


def test_each_seat_of_the_bench_object_has_exactly_these_keys() -> None:
    seats = read(planned(), ROWS)["seats"]
    assert seats[0] == {
        "call": f"{PANEL}.member1",
        "seat": "member",
        "alias": "m1",
        "status": "ok",
        "seconds": 1.25,
        "answer": "m1 says blue.",
        "error": "",
    }
    assert all(list(seat) == list(seats[0]) for seat in seats)
    assert [seat["seat"] for seat in seats] == ["member", "member", "explorer"]


def test_the_skipped_stand_in_the_bench_object_when_there_are_any() -> None:
    found = read(planned("m1", "ghost"), ROWS)
    assert set(found) == {"panel", "collection", "shape", "shape_by", "seats", "verdict", "skipped"}
    assert found["skipped"] == [{"seat": "member", "alias": "ghost", "why": "no model has this alias"}]


def test_the_prompt_is_in_neither() -> None:
    plan = planned()
    assert "secret prompt" not in panel_text.whole(PANEL, plan, ROWS)
    assert b"secret prompt" not in bytes(panel_field(PANEL, plan, ROWS))

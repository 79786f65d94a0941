"""The heat map: which cell says what, in which order, and that the drawing has words in place of it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.heat_map import Cell, draw_heat_map, heat_map
from suite.results import Result
from suite.tests.made import hunt, result

SVG = "{http://www.w3.org/2000/svg}"
RESULTS = [
    hunt("ann", "b-bug", "found"),
    hunt("ann", "b-control", "clean"),
    hunt("bob", "b-bug", "wrong line"),
    hunt("bob", "b-control", "clean"),
    result("ann", "a-list", found=1, of=4),
    result("ann", "a-list", found=3, of=4, invented=1),
    result("bob", "a-list", outcome=AttemptOutcome.REFUSED),
    result("ann", "c-claim", shape=TaskShape.CLAIM),
]


def cells(results: list[Result]) -> dict[tuple[str, str], Cell]:
    return {(cell.model, cell.task): cell for _, row in heat_map(results).rows for cell in row}


def test_each_cell_tells_how_a_model_took_a_task() -> None:
    told = {key: cell.words for key, cell in cells(RESULTS).items()}
    assert told == {
        ("ann", "a-list"): "ann, a-list: 50% in 2 answers, something false claimed",
        ("ann", "c-claim"): "ann, c-claim: 100%",
        ("ann", "b-bug"): "ann, b-bug: 100%",
        ("ann", "b-control"): "ann, b-control: 100%",
        ("bob", "a-list"): "bob, a-list: no answer (refused)",
        ("bob", "c-claim"): "bob, c-claim: not asked",
        ("bob", "b-bug"): "bob, b-bug: 0%, something false claimed",
        ("bob", "b-control"): "bob, b-control: 100%",
    }


def test_an_answer_counts_even_where_a_later_try_brought_none() -> None:
    later = result("ann", "a-list", day=3, outcome=AttemptOutcome.TIMEOUT)
    assert cells([*RESULTS, later])["ann", "a-list"].share == 0.5


@pytest.mark.parametrize(("share", "tone"), [(0.0, 0), (0.19, 0), (0.2, 1), (0.5, 2), (0.79, 3), (0.8, 4), (1.0, 4)])
def test_more_found_is_never_lighter(share: float, tone: int) -> None:
    assert Cell("ann", "a", 1, share).tone == tone


def test_the_best_model_stands_first_and_tasks_stand_by_shape() -> None:
    shown = heat_map(RESULTS)
    assert [model for model, _ in shown.rows] == ["ann", "bob"]
    assert shown.tasks == ("a-list", "c-claim", "b-bug", "b-control")
    assert [model for model, _ in heat_map(RESULTS, ["bob", "cid"]).rows] == ["bob", "cid"]


def test_the_drawing_is_told_in_words_and_every_cell_by_itself() -> None:
    drawn = ElementTree.fromstring(draw_heat_map(heat_map(RESULTS), "Us & them"))  # noqa: S314 our own drawing
    labels = drawn.attrib["aria-labelledby"].split()
    by_id = {one.attrib["id"]: one.text for one in drawn.iter() if "id" in one.attrib}
    assert [by_id[label] for label in labels] == [
        "Us & them",
        "ann answered 4 of 4 tasks, 88% on average, something false claimed in 1. "
        "bob answered 2 of 4 tasks, 50% on average, something false claimed in 1.",
    ]
    told = [one.text for rect in drawn.iter(f"{SVG}rect") for one in rect.iter(f"{SVG}title")]
    assert sorted(str(one) for one in told) == sorted(cell.words for cell in cells(RESULTS).values())
    assert "style" not in {name for one in drawn.iter() for name in one.attrib}


def test_cells_lead_where_the_page_says_and_names_go_where_they_would_not_fit() -> None:
    many = [result("<ann>", f"task-{number:03}") for number in range(80)]
    drawn = ElementTree.fromstring(  # noqa: S314 our own drawing
        draw_heat_map(heat_map(many), "Many", link=lambda cell: f"/tasks/{cell.task}?a=1&b=2")
    )
    assert next(one.attrib["href"] for one in drawn.iter(f"{SVG}a")) == "/tasks/task-000?a=1&b=2"
    texts = [one.text for one in drawn.iter(f"{SVG}text")]
    assert "<ann>" in texts
    assert "task-000" not in texts


def test_nothing_asked_is_told_too() -> None:
    assert "No model was asked" in draw_heat_map(heat_map([]), "Empty")

"""Parts of the page of benchmarks: each is paged by itself, taken as a file, and stays small with many models."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.operations.benchmarks.filters import BenchFilters
from benchwarmers.operations.benchmarks.grid import FALSE, SHARES, Grid, Line, square
from benchwarmers.operations.benchmarks.pieces import piece_of
from benchwarmers.tests.operations.benchmarks.given import add_pair, answer
from benchwarmers.tests.pages.crowded import fill
from collections_app.models import LanguageModel, Standing
from gateway.canon.kinds import TaskShape
from probes.models import ProbeSample

As = Callable[[str], Client]
RIGHT = "FAULT: line 4\nIt subtracts."
MOST_BYTES = 230_000


def rows_of(client: Client, part: str, more: str = "") -> list[list[str]]:
    reply = client.get(f"/benchmarks/?format=csv&of={part}{more}")
    assert reply["Content-Type"].startswith("text/csv")
    return list(csv.reader(reply.content.decode().splitlines()))


@pytest.mark.parametrize(
    ("query", "first", "last", "before", "after"),
    [
        ("", 1, 20, "", "?hunt=2#hunt"),
        ("hunt=2&work=3", 21, 40, "?work=3#hunt", "?work=3&hunt=3#hunt"),
        ("hunt=99", 41, 45, "?hunt=2#hunt", ""),
        ("hunt=x", 1, 20, "", "?hunt=2#hunt"),
    ],
)
def test_a_part_is_paged_by_itself(query: str, first: int, last: int, before: str, after: str) -> None:
    piece = piece_of(range(45), "hunt", BenchFilters.read(QueryDict(query)))
    assert (piece.first, piece.last, piece.before, piece.after) == (first, last, before, after)


def test_comparing_leads_to_the_tables_and_no_other_view_is_lost() -> None:
    assert BenchFilters.read(QueryDict("first=a&second=b")).view == "table"
    assert BenchFilters.read(QueryDict("view=code")).view == "code"
    assert BenchFilters.read(QueryDict("view=nonsense")).view == ""


def test_every_part_can_be_taken_as_a_file(as_person: As) -> None:
    answer({"osprey": RIGHT, "wren": ""}, *add_pair())
    model, now = LanguageModel.objects.get(alias="wren"), timezone.now()
    Standing.objects.create(language_model=model, offloads=4, judged=2, useful=1)
    for failure, days in (("", 1), ("timeout", 2), ("timeout", 15)):
        at = now - timedelta(days=days)
        ProbeSample.objects.create(
            language_model=model, kind="availability", prompt="tiny", at=at, answered=not failure, failure=failure
        )
    client = as_person("zoe")
    assert rows_of(client, "work")[1] == ["wren", "1", "2", "4", "0.5", "0.094531", "0.905469"]
    assert rows_of(client, "outcomes")[1][:3] == ["wren", "2", "0.5"]
    assert rows_of(client, "hunt")[1][:6] == ["osprey", "1", "0", "0", "1", "0"]
    assert rows_of(client, "heat")[1:] == [
        ["total-bug", "seeded", "100", "–"],
        ["total-control", "seeded", "0!", "–"],
    ]
    assert [row[0] for row in rows_of(client, "sheets", "&q=osp")] == ["model", "osprey"]
    assert client.get("/benchmarks/?format=csv&of=nonsense").status_code == 404


@pytest.mark.parametrize(
    ("byte", "kind", "text"),
    [
        (0, "g-off", ""),
        (1, "g-no", "–"),
        (SHARES, "g0", "0"),
        (SHARES + 100, "g4", "100"),
        (SHARES + FALSE + 50, "g2", "50"),
    ],
)
def test_a_byte_of_the_grid_is_a_cell(byte: int, kind: str, text: str) -> None:
    cell = square(byte)
    assert (cell.kind, cell.text, cell.false) == (kind, text, byte >= SHARES + FALSE)


def test_a_grid_of_some_models_has_the_tasks_they_were_asked() -> None:
    grid = Grid(
        ("a", "b"), (Line("one", TaskShape.CLAIM, bytes([0, 102])), Line("two", TaskShape.CLAIM, bytes([1, 0])))
    )
    assert grid.of(["b"]) == Grid(("b",), (Line("one", TaskShape.CLAIM, bytes([102])),))
    assert grid.of(["a", "b"]) is grid


@pytest.mark.parametrize("view", ["", "code", "table", "time"])
def test_with_many_models_a_page_stays_small_and_asks_no_more(
    as_person: As, view: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    fill(70, 45, days=3)
    client = as_person("zoe")
    with django_assert_max_num_queries(25):
        page = client.get(f"/benchmarks/?view={view}")
    assert 20_000 < len(page.content) < MOST_BYTES

"""The document, its picture and its figures are of one run."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from bench import held, page
from bench.parts import PARTS
from bench.plot import draw
from bench.report import Column, count, table, two

FIGURES = json.loads(page.FIGURES.read_text("utf-8"))


def test_the_document_says_what_the_figures_say() -> None:
    text = page.PAGE.read_text("utf-8")
    assert page.written(text, FIGURES) == text


def test_the_picture_shows_the_figures() -> None:
    assert page.PICTURE.read_text("utf-8") == draw(FIGURES)
    picture = ElementTree.fromstring(draw(FIGURES))  # noqa: S314 our own
    words = [text for one in picture.iter() if one.tag.endswith("text") and (text := one.text)]
    for row in FIGURES["formats"]:
        assert row["format"] in words
        assert f"{row['turn_ratio']:.1f} x" in words


def test_every_part_has_its_place_in_the_document() -> None:
    text = page.PAGE.read_text("utf-8")
    assert [name for name in PARTS if f"<!-- bench:{name} -->" not in text] == []
    with pytest.raises(page.NoPlace, match="wire"):
        page.written(text.replace("bench:wire", "bench:gone"), FIGURES)


def test_what_is_missed_is_said() -> None:
    assert [row["verdict"] for row in held.rows(FIGURES)].count("held") + page.PAGE.read_text().count("**missed**") == 6
    heavy = [{}, {"stream_kb": held.STREAM_KB + 1}]
    assert [row["verdict"] for row in held.rows({"memory": heavy})] == ["**missed**"]
    assert "**missed**" in page.written(page.PAGE.read_text("utf-8"), FIGURES | {"memory": heavy})


def test_new_figures_replace_a_table_and_leave_the_words_around_it() -> None:
    text = page.PAGE.read_text("utf-8")
    slower = FIGURES | {"agent": [{"protocol": "slow \\1 protocol", "bytes": 9, "ms": 99.0}]}
    changed = page.written(text, slower)
    assert "| slow \\1 protocol | 9 | 99.00 |" in changed
    assert page.written(changed, FIGURES) == text


def test_a_table_writes_what_there_is_and_leaves_the_rest_empty() -> None:
    columns = (Column("name", "who"), Column("a", "first", two), Column("b", "second", count))
    rows = [{"name": "x", "a": 1.239, "b": 12_345.6}, {"name": "y", "b": 12.345}]
    assert table(columns, rows).splitlines() == [
        "| who | first | second |",
        "|---|---:|---:|",
        "| x | 1.24 | 12,300 |",
        "| y |  | 12.3 |",
    ]

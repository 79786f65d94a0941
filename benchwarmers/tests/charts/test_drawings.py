"""Stacked bars, scatter plots and whiskers as SVG: where things stand, what they say, and that no name is markup."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest

from benchwarmers.charts.marks import Dot, Drawing, Key, Line, Mark, Path, Rect, Text, cut, draw_picture
from benchwarmers.charts.scatter import Axis, Point, draw_scatter
from benchwarmers.charts.stacks import Bar, Part, draw_stacks
from benchwarmers.charts.whiskers import Reach, draw_reaches
from collections_app.intervals import Interval

GOOD, BAD = Key("tone-yes", "found"), Key("tone-err", "alarm", "texture-fall")
SVG = "{http://www.w3.org/2000/svg}"


def percent(share: float) -> str:
    return f"{share:.0%}"


def read(drawing: Drawing, narrow: Drawing | None = None) -> list[Tree.Element]:
    svg = draw_picture("it", "A <title>", 'What "one" sees', drawing, narrow)
    return list(Tree.fromstring(f'<div xmlns="http://www.w3.org/2000/svg">{svg}</div>'))  # noqa: S314 our own drawing


def rects(drawing: Drawing) -> list[Rect]:
    return [mark for mark in drawing.marks if isinstance(mark, Rect)]


def test_parts_lie_end_to_end_around_nought() -> None:
    bar = Bar("wren", [Part(GOOD, 0.5, "half"), Part(GOOD, 0.25, "more"), Part(BAD, 0.5, "bad", left=True)], "3")
    drawing = draw_stacks([bar], 400, -1.0, 1.0, percent)
    bad, half, more = rects(drawing)
    assert half.x + half.wide == pytest.approx(more.x)
    assert bad.x + bad.wide == pytest.approx(half.x)
    assert [bad.wide, half.wide] == pytest.approx([2 * more.wide] * 2)
    assert bad.texture == "texture-fall"


def test_nothing_is_drawn_of_an_empty_part_and_a_small_one_is_seen() -> None:
    drawing = draw_stacks([Bar("wren", [Part(GOOD, 0.0, ""), Part(BAD, 0.0001, "one")])], 400, 0.0, 1.0, percent)
    assert [one.wide for one in rects(drawing)] == [1.0]


def test_words_stand_on_a_bar_only_where_they_fit() -> None:
    bars = [Bar("wren", [Part(GOOD, 0.9, "", "90%")]), Bar("tern", [Part(GOOD, 0.02, "", "2%")])]
    drawing = draw_stacks(bars, 400, 0.0, 1.0, percent)
    assert [one.words for one in drawing.marks if isinstance(one, Text) and one.kind == "chart-on"] == ["90%"]


def test_a_long_name_is_cut_and_a_short_one_is_not() -> None:
    assert cut("a-model-with-a-long-name", 60) == "a-model-\u2026"
    assert cut("wren", 4 * 6.3) == "wren"


def test_dots_stand_by_their_numbers_and_a_falling_axis_has_nought_on_top() -> None:
    points = [
        Point("a", 0.5, 0.0, "best", Interval(0.5, 0.4, 0.6), Interval(0.0, 0.0, 0.2)),
        Point("b", 1.0, 0.5, "worst"),
    ]
    axes = Axis("x", 0.0, 1.0, percent), Axis("y", 0.0, 0.5, percent, falls=True)
    drawing = draw_scatter(points, *axes, (400, 300), target=(0.8, 0.1, "here"))
    best, worst = (mark for mark in drawing.marks if isinstance(mark, Dot))
    assert (best.y, worst.y) == (14.0, 256.0)
    assert (best.x, worst.x) == (221.0, 384.0)
    (field,) = rects(drawing)
    assert (field.x + field.wide, field.y) == (384.0, 14.0)
    (whiskers,) = (mark for mark in drawing.marks if isinstance(mark, Path))
    assert len(whiskers.strokes) == 6


def test_a_logarithmic_axis_gives_equal_room_to_equal_ratios() -> None:
    points = [Point(str(at), 10.0**at, 0.5, "") for at in range(3)]
    drawing = draw_scatter(points, Axis("s", 1, 100, str, log=True), Axis("y", 0, 1, percent), (400, 300))
    x = [mark.x for mark in drawing.marks if isinstance(mark, Dot)]
    assert x[1] - x[0] == x[2] - x[1]


def test_a_share_stands_on_its_range() -> None:
    drawing = draw_reaches([Reach("wren", Interval(0.5, 0.25, 0.75), "half", "4 of 8")], 400)
    (dot,) = (mark for mark in drawing.marks if isinstance(mark, Dot))
    (path,) = (mark for mark in drawing.marks if isinstance(mark, Path))
    (left, right), *_ = path.strokes
    assert (left[0] + right[0]) / 2 == dot.x
    assert left[1] == right[1] == dot.y


def test_each_drawing_has_a_title_and_words_of_its_own() -> None:
    drawing = Drawing(10, 10, [Line(0, 0, 1, 1, "chart-grid")])
    wide, narrow = read(drawing, drawing)
    for one, name in ((wide, "it-wide"), (narrow, "it-narrow")):
        assert one.get("role") == "img"
        assert one.get("aria-labelledby") == f"{name}-title {name}-words"
        assert [one.find(f"{SVG}{tag}").text for tag in ("title", "desc")] == [  # type: ignore[union-attr]
            "A <title>",
            'What "one" sees',
        ]
    assert (wide.get("class"), narrow.get("class")) == ("chart chart-wide", "chart chart-narrow")


def test_nothing_that_is_written_into_a_name_becomes_markup() -> None:
    bad = "<img src=x>"
    marks: list[Mark] = [
        Text(0, 0, bad),
        Dot(0, 0, 1, "a", bad),
        Rect(0, 0, 1, 1, "a", bad, "texture-rise"),
    ]
    (svg,) = read(Drawing(10, 10, marks))
    assert not svg.findall(f".//{SVG}img")
    assert {one.text for one in svg.iter(f"{SVG}title")} == {"A <title>", bad}


def test_the_narrow_drawing_has_no_words_on_its_marks() -> None:
    drawing = Drawing(10, 10, [Dot(0, 0, 1, "a", "words"), Rect(0, 0, 1, 1, "a", "words")])
    wide, narrow = read(drawing, drawing)
    assert len(list(wide.iter(f"{SVG}title"))) == 3
    assert len(list(narrow.iter(f"{SVG}title"))) == 1

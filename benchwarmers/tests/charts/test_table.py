"""The table behind a picture: its cells for people, its columns for files."""

from __future__ import annotations

from benchwarmers.charts.table import NAME, RATE, SECONDS, SHARE, Cell, Column, Table
from collections_app.intervals import Interval

COLUMNS = [
    Column("model", "Model", NAME),
    Column("tasks", "Tasks"),
    Column("recall", "Recall", SHARE),
    Column("cost", "Cost", RATE),
    Column("seconds", "Time", SECONDS),
]
HALF = Interval(0.5, 0.25, 0.75)


def test_people_read_shares_with_their_ranges_and_a_dash_for_what_is_not_known() -> None:
    table = Table(
        COLUMNS, [["wren", 1_200, HALF, None, 2.04], ["tern", 2.5, None, Interval(12, 4, 40), None]], ["/w/", ""]
    )
    (first, cells), (second, others) = table.cells()
    assert (first, second) == (Cell("wren", "", "/w/"), Cell("tern"))
    assert cells == [Cell("1\u202f200"), Cell("50%", "25–75%"), Cell("–"), Cell("2.0 s")]
    assert others == [Cell("2.5"), Cell("–"), Cell("12", "4.0–40"), Cell("–")]


def test_a_file_has_a_column_for_each_bound_and_no_formula() -> None:
    table = Table(COLUMNS, [["=1+1", 3, HALF, None, 0.123456789]])
    assert table.file().splitlines() == [
        "model,tasks,recall,recall_low,recall_high,cost,cost_low,cost_high,seconds",
        "'=1+1,3,0.5,0.25,0.75,,,,0.123457",
    ]

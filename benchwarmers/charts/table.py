"""The table behind a picture: what each column holds, its cells as people read them, and its rows as a file takes them.
Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchwarmers.dashboard.files import harmless
from benchwarmers.dashboard.templatetags.bench import seconds, thousands
from benchwarmers.dashboard.templatetags.intervals import between, number, percent, plainly
from collections_app.intervals import Interval

NAME: Final = "name"
COUNT: Final = "count"
"""A number, that may be a part."""
SHARE: Final = "share"
"""An Interval of shares, or None."""
RATE: Final = "rate"
"""An Interval of numbers, or None."""
SECONDS: Final = "seconds"
NONE: Final = "\u2013"


@dataclass(frozen=True, slots=True)
class Column:
    """`key` is its name in a file, `label` what people read; `kind` is one of the above."""

    key: str
    label: str
    kind: str = COUNT


@dataclass(frozen=True, slots=True)
class Cell:
    """`note` is the smaller line under the value: the range of a share."""

    text: str
    note: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Each row begins with a name; `links` are where the names lead, in the order of the rows, or none at all."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    links: Sequence[str] = ()

    def cells(self) -> Iterator[tuple[Cell, list[Cell]]]:
        """For a page: (the row's head, the rest of it)."""
        for place, row in enumerate(self.rows):
            link = self.links[place] if self.links else ""
            head, *rest = (_cell(column.kind, value) for column, value in zip(self.columns, row, strict=True))
            yield Cell(head.text, head.note, link), rest

    def file(self) -> str:
        """As CSV; what has a range takes three columns."""
        out = io.StringIO()
        write = csv.writer(out)
        write.writerow([name for column in self.columns for name in _heads(column)])
        for row in self.rows:
            values = zip(self.columns, row, strict=True)
            write.writerow([harmless(one) for column, value in values for one in _values(column.kind, value)])
        return out.getvalue()


def _cell(kind: str, value: Any) -> Cell:
    if value is None:
        return Cell(NONE)
    match kind:
        case "share":
            return Cell(percent(value.share), between(value))
        case "rate":
            return Cell(number(value.share), f"{number(value.low)}\u2013{number(value.high)}")
        case "seconds":
            return Cell(seconds(value))
        case "count":
            return Cell(thousands(value) if isinstance(value, int) else plainly(value))
        case _:
            return Cell(str(value))


def _heads(column: Column) -> list[str]:
    if column.kind in (SHARE, RATE):
        return [column.key, f"{column.key}_low", f"{column.key}_high"]
    return [column.key]


def _values(kind: str, value: Any) -> list[Any]:
    if kind not in (SHARE, RATE):
        return [_plain(value)]
    if not isinstance(value, Interval):
        return [None, None, None]
    return [_plain(one) for one in value]


def _plain(value: Any) -> Any:
    """A number as short as it goes."""
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else round(value, 6)

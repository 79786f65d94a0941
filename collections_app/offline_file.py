"""Reads a file of offline work: pieces of work done outside the gateway, with what somebody thought of them. Pure.

Either CSV with a header, or JSON: a list of objects, or one object a line. The columns are `model`, `date`, `task`,
`useful`, `note`, `real`, `false` and `judge`; the first three are needed. In CSV several claims stand in one cell, one
a line or with ` | ` between them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from collections_app.claims import LONGEST_NOTE, collapse, tidy_claims

COLUMNS = ("model", "date", "task", "useful", "note", "real", "false", "judge")
NEEDED = ("model", "date", "task")
MOST_ROWS = 5_000
LONGEST_TASK = 90
LONGEST_NAME = 150
YES = frozenset({"yes", "true", "1", "useful"})
NO = frozenset({"no", "false", "0", "not useful"})
UNJUDGED = frozenset({"", "null", "none", "unjudged"})


class Unreadable(Exception):
    """The file as a whole cannot be read; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work as the file has it, in normal form. `line` is its line in the file, or its number in a JSON
    list; `on` a day, or a moment with its time zone as far as it was given; `problems` say what cannot be taken over.
    """

    line: int
    model: str
    on: date | datetime | None
    task: str
    useful: bool | None
    note: str
    real: tuple[str, ...]
    false: tuple[str, ...]
    judge: str
    problems: tuple[str, ...]


def read_offline(text: str) -> list[Row]:
    """The rows of the file in order.

    :raises Unreadable: it is neither kind, lacks a column, has one that is not known, or is too long.
    """
    plain = text.removeprefix("\ufeff")
    found = _read_json(plain) if plain.lstrip()[:1] in {"[", "{"} else _read_csv(plain)
    if not found:
        raise Unreadable("There are no rows in it.")
    if len(found) > MOST_ROWS:
        raise Unreadable(f"It has {len(found):,} rows; send at most {MOST_ROWS:,} at once.")
    return [_row(line, cells) for line, cells in found]


def _read_csv(text: str) -> list[tuple[int, Mapping[str, Any]]]:
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="", strict=True)
    try:
        names = [name.strip().casefold() for name in reader.fieldnames or ()]
        _check_columns(names)
        reader.fieldnames = names
        rows: list[tuple[int, Mapping[str, Any]]] = []
        for cells in reader:
            if "" in cells:
                raise Unreadable(f"Line {reader.line_num} has more cells than the header has columns.")
            rows.append((reader.line_num, {name: cell or "" for name, cell in cells.items()}))
    except csv.Error as error:
        raise Unreadable(f"Line {reader.line_num} is not CSV: {error}.") from None
    return rows


def _read_json(text: str) -> list[tuple[int, Mapping[str, Any]]]:
    try:
        if text.lstrip().startswith("["):
            found = list(enumerate(json.loads(text), 1))
        else:
            lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            found = [(number, json.loads(line)) for number, line in lines]
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"It is not JSON: {error}.") from None
    for number, one in found:
        if not isinstance(one, dict):
            raise Unreadable(f"Entry {number} is not an object.")
        _check_columns(list(one), needed=())
    return found


def _check_columns(names: Sequence[str], needed: Sequence[str] = NEEDED) -> None:
    if unknown := [name for name in names if name not in COLUMNS]:
        raise Unreadable(f"“{unknown[0][:40]}” is not one of the columns {', '.join(COLUMNS)}.")
    if len(set(names)) < len(names):
        raise Unreadable("A column is there twice.")
    if missing := [name for name in needed if name not in names]:
        raise Unreadable(f"The column “{missing[0]}” is missing; the first line names the columns.")


def _row(line: int, cells: Mapping[str, Any]) -> Row:
    problems: list[str] = []
    words = {name: _text(cells.get(name), name, problems) for name in ("model", "date", "task", "note", "judge")}
    on = _moment(words["date"])
    useful = _useful(cells.get("useful"), problems)
    real, false = (_claims(cells.get(name), name, problems) for name in ("real", "false"))
    for name in ("model", "task"):
        if not words[name]:
            problems.append(f"{name} is empty.")
    if on is None:
        problems.append(f"“{words['date'][:40]}” is not a date; write 2026-11-29, or that with a time.")
    if useful is None and (words["note"] or real or false):
        problems.append("A note or claims need useful to be yes or no.")
    problems += [f"“{claim}” cannot both hold and be false." for claim in real if claim in false]
    return Row(
        line=line,
        model=words["model"],
        on=on,
        task=words["task"][:LONGEST_TASK].strip(),
        useful=useful,
        note=words["note"],
        real=real,
        false=false,
        judge=words["judge"][:LONGEST_NAME],
        problems=tuple(problems),
    )


def _text(cell: Any, name: str, problems: list[str]) -> str:
    if cell is None or isinstance(cell, str):
        return collapse(cell or "", LONGEST_NOTE)
    problems.append(f"{name} is text.")
    return ""


def _moment(text: str) -> date | datetime | None:
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return date.fromisoformat(text)
        return datetime.fromisoformat(text) if re.match(r"\d{4}-\d\d-\d\d[T ]", text) else None
    except ValueError:
        return None


def as_moment(on: date | datetime, zone: Any) -> datetime:
    """A day as its first moment in this time zone; a time without a zone is in it too."""
    if not isinstance(on, datetime):
        return datetime.combine(on, time(), zone)
    return on if on.tzinfo else on.replace(tzinfo=zone)


def _useful(cell: Any, problems: list[str]) -> bool | None:
    if cell is None or isinstance(cell, bool):
        return cell
    word = str(cell).strip().casefold()
    if word in YES | NO:
        return word in YES
    if word not in UNJUDGED:
        problems.append(f"useful is yes, no or empty, not “{word[:40]}”.")
    return None


def _claims(cell: Any, name: str, problems: list[str]) -> tuple[str, ...]:
    if isinstance(cell, str):
        cell = re.split(r"\n| \| ", cell)
    if cell is None or (isinstance(cell, list) and all(isinstance(claim, str) for claim in cell)):
        return tuple(tidy_claims(cell))
    problems.append(f"{name} is a list of sentences.")
    return ()

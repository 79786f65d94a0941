"""Rows of a data set of fixes, from a local file: JSON, JSON lines, or a page that the hub's viewer answered. Pure but
for reading the file.

    {"instance_id": "owner__project-123", "repo": "owner/project", "base_commit", "created_at", "license", "patch",
     "problem_statement", "language", "files": {path: text}}

`files` is no field of the hub's: a file that has it needs no network. Its texts are from before the fix.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

LARGEST: Final = 500_000_000
"""Bytes of a file that is read whole."""
NEEDED: Final = ("instance_id", "repo", "base_commit", "created_at", "patch")


class BadRows(Exception):
    """The file has no such rows; the text says where and why."""


class Row(Struct, frozen=True):
    """A fix: the fields of the data set. `created_on` is the day on which it was proposed."""

    instance: str
    repo: str
    base: str
    created_on: date
    patch: str
    licence: str = ""
    problem: str = ""
    files: dict[str, str] = field(default_factory=dict)


def read_file(path: Path) -> list[Row]:
    """The Python rows of the file, the newest first.

    :raises BadRows: it cannot be read, or a row of it cannot be used.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise BadRows(f"{path} is larger than {LARGEST // 1_000_000} MB; split it.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRows(f"{path} cannot be read: {error}.") from None
    try:
        found = _rows_of(msgspec.json.decode(text))
    except msgspec.DecodeError:
        found = list(_lines(text, path))
    except RecursionError:
        raise BadRows(f"{path} is nested too deeply.") from None
    return read_rows(found, str(path))


def read_rows(found: Iterable[Any], where: str) -> list[Row]:
    """The Python rows among these, the newest first.

    :raises BadRows: one of them cannot be used.
    """
    rows = [read_row(one, f"{where}, row {number}") for number, one in enumerate(found, 1) if _is_python(one)]
    return sorted(rows, key=lambda row: (row.created_on, row.instance), reverse=True)


def read_row(said: Any, where: str) -> Row:
    """:raises BadRows: it is none."""
    if not isinstance(said, dict):
        raise BadRows(f"{where}: not a JSON object.")
    if missing := [name for name in NEEDED if not isinstance(said.get(name), str) or not said[name].strip()]:
        raise BadRows(f"{where}: it has no {missing[0]}.")
    try:
        created = date.fromisoformat(said["created_at"].strip()[:10])
    except ValueError:
        raise BadRows(f"{where}: {said['created_at'][:40]!r} is no date.") from None
    files = said.get("files") or {}
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise BadRows(f"{where}: files is an object of texts by path.")
    return Row(
        instance=said["instance_id"].strip(),
        repo=said["repo"].strip(),
        base=said["base_commit"].strip(),
        created_on=created,
        patch=said["patch"],
        licence=str(said.get("license") or ""),
        problem=" ".join(str(said.get("problem_statement") or "").split())[:300],
        files=files,
    )


def _rows_of(document: Any) -> list[Any]:
    """The rows of a list, of the hub's page, or the one that it is."""
    if isinstance(document, dict):
        inner = document.get("rows")
        document = inner if isinstance(inner, list) else [document]
    if not isinstance(document, list):
        raise BadRows("The file is neither a list of rows nor one row a line.")
    return [one["row"] if isinstance(one, dict) and isinstance(one.get("row"), dict) else one for one in document]


def _lines(text: str, path: Path) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise BadRows(f"{path}, line {number}: no JSON.") from None


def _is_python(said: Any) -> bool:
    return not isinstance(said, dict) or str(said.get("language") or "python").lower() == "python"

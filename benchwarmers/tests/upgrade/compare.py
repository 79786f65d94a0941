"""What an upgrade did to rows: two archives, before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from benchwarmers.backup.archive import Reader, opened
from benchwarmers.backup.manifest import Table


def lost(before: Path, after: Path) -> list[str]:
    """Tables that are gone, rows that are gone, and values that are others than they were in a column that is still
    there: `table`, `table 7`, `table 7 column`. New rows and columns are no loss."""
    with opened(before) as old, opened(after) as new:
        there = {table.name: table for table in new.manifest.tables}
        found = []
        for table in old.manifest.tables:
            if table.name not in there:
                found.append(table.name)
                continue
            ours, theirs = _rows(old, table), _rows(new, there[table.name])
            found += [f"{table.name} {key}" for key in ours.keys() - theirs.keys()]
            for key in ours.keys() & theirs.keys():
                found += [
                    f"{table.name} {key} {column}"
                    for column, value in ours[key].items()
                    if column in theirs[key] and theirs[key][column] != value
                ]
        return found


def _rows(archive: Reader, table: Table) -> dict[Any, dict[str, Any]]:
    """By the first column, which is the key."""
    return {
        row[0]: {
            column.name: msgspec.json.decode(value) if column.kind == "json" and value is not None else value
            for column, value in zip(table.columns, row, strict=True)
        }
        for row in archive.rows(table)
    }

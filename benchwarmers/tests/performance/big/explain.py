"""What Postgres really does for a statement: each table that it reads from end to end, and what reading costs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, transaction

from benchwarmers.tests.performance.big.plans import BIG

MANY: Final = 20_000
"""So many rows read for nothing, or from end to end, are too many."""


@dataclass(frozen=True)
class Plan:
    """`ms` of processor and disk, `pages` of 8 KB that were looked at; `whole` tells each big table that is read from
    end to end and `wasted` each index whose rows are mostly thrown away, both with how many rows."""

    statement: str
    ms: float
    pages: int
    whole: tuple[str, ...]
    wasted: tuple[str, ...]


def explain(statements: Iterable[str]) -> list[Plan]:
    """The plans of those that read, each once, the slowest first."""
    reads = [one for one in dict.fromkeys(statements) if one.startswith("SELECT")]
    return sorted(map(_plan, reads), key=lambda plan: -plan.ms)


def _plan(statement: str) -> Plan:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL track_io_timing = off")
        cursor.cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        told = cursor.fetchone()[0]
        transaction.set_rollback(True)
    top = (json.loads(told) if isinstance(told, str) else told)[0]
    nodes = list(_nodes(top["Plan"]))
    pages = top["Plan"].get("Shared Hit Blocks", 0) + top["Plan"].get("Shared Read Blocks", 0)
    whole = tuple(sorted({_told(node) for node in nodes if node["Node Type"] == "Seq Scan" and _is_many(node)}))
    wasted = tuple(sorted({_told(node) for node in nodes if "Index" in node["Node Type"] and _is_wasted(node)}))
    return Plan(statement, top["Execution Time"], pages, whole, wasted)


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)


def _read(node: dict[str, Any]) -> int:
    """Rows over all rounds."""
    return int((node["Actual Rows"] + _removed(node)) * node["Actual Loops"])


def _removed(node: dict[str, Any]) -> float:
    return float(node.get("Rows Removed by Filter", 0))


def _is_many(node: dict[str, Any]) -> bool:
    return str(node["Relation Name"]) in BIG and _read(node) > MANY


def _is_wasted(node: dict[str, Any]) -> bool:
    return _removed(node) * float(node["Actual Loops"]) > MANY


def _told(node: dict[str, Any]) -> str:
    index = node.get("Index Name")
    return f"{node.get('Relation Name', '')}{f' by {index}' if index else ''}: {_read(node):,} rows"

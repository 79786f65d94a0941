"""Which queries read the whole of a big table, by the plan of the database at hand.

A small database is read whole because that is cheapest, so what is asked is whether there was another way: Postgres is
told to avoid it, and SQLite, which knows no sizes, takes an index wherever one serves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from django.db import connection

BIG: Final = (
    *("gateway_call", "gateway_usageday", "gateway_panel", "gateway_seat", "gateway_conversation", "gateway_turn"),
    *("gateway_shadow", "gateway_reading", "collections_app_evidence", "collections_app_verdict"),
    *("collections_app_change", "probes_probesample", "probes_jobline", "suite_attempt", "suite_score"),
)
_NAMED: Final = re.compile(rf'"({"|".join(BIG)})"')


def whole_reads(statements: Iterable[str]) -> list[str]:
    """`table: statement` for each query that can only be answered by reading a big table from end to end."""
    found = []
    for statement in dict.fromkeys(statements):
        if statement.startswith("SELECT") and _NAMED.search(statement):
            found += [f"{table}: {statement}" for table in sorted(_tables_read(statement) & set(BIG))]
    return found


def _tables_read(statement: str) -> set[str]:
    return _of_sqlite(statement) if connection.vendor == "sqlite" else _of_postgres(statement)


def _of_sqlite(statement: str) -> set[str]:
    """An index that is walked in its order for a page of rows ends early; without a limit it is read whole."""
    with connection.cursor() as cursor:
        cursor.cursor.execute(f"EXPLAIN QUERY PLAN {statement}")  # as it stands: it holds its values and percent signs
        steps = [row[3] for row in cursor.fetchall()]
    names = _aliases(statement)
    by_key = " WHERE " not in statement and not any("ORDER BY" in step for step in steps)  # the table in its own order
    read = set()
    for step in steps:
        scan = re.match(r"SCAN (\w+)( USING (?:COVERING )?INDEX)?", step)
        if scan and not (" LIMIT " in statement and (scan[2] or by_key)):
            read.add(names.get(scan[1], scan[1]))
    return read


def _of_postgres(statement: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.cursor.execute(f"EXPLAIN {statement}")
        lines = [row[0] for row in cursor.fetchall()]
    return {found[1] for line in lines if (found := re.search(r"Seq Scan on (\w+)", line))}


def _aliases(statement: str) -> dict[str, str]:
    return dict((alias, table) for table, alias in re.findall(r'(?:FROM|JOIN) "(\w+)" (U\d+|T\d+)\b', statement))

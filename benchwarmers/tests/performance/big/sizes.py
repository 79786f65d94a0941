"""How large each table is, with its indexes. Postgres alone."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

_STATEMENT = """
SELECT relname, reltuples::bigint, pg_table_size(oid), pg_indexes_size(oid)
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > 10000
ORDER BY pg_total_relation_size(oid) DESC
"""


@dataclass(frozen=True)
class Size:
    """`rows` as Postgres estimates them; bytes of the rows and of all indexes."""

    table: str
    rows: int
    bytes: int
    index_bytes: int


def sizes() -> list[Size]:
    """Tables of more than ten thousand rows, the largest first."""
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT)
        return [Size(*row) for row in cursor.fetchall()]

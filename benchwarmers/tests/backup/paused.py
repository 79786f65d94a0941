"""A command of manage.py that says `here` at one point and goes no further: POINT TEMPLATE COMMAND...

`packing` is in the middle of a backup; `filled` is when a restore has filled all tables and not compared them yet.
Tables are copied from the template, a SQLite file.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from typing import Any


def stay(*args: Any) -> None:
    sys.stdout.write("here\n")
    sys.stdout.flush()
    time.sleep(600)


def main(point: str, template: str, command: list[str]) -> None:
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    from benchwarmers.backup import archive, restore

    def make_tables(applied: Any) -> None:
        connection.ensure_connection()
        with closing(sqlite3.connect(template)) as ready:
            ready.backup(connection.connection)

    patched = setattr
    patched(restore, "make_tables", make_tables)
    if point == "filled":
        patched(restore, "read_back", stay)
    else:
        pack = archive.Writer.table

        def table(self: Any, shape: Any, *args: Any) -> Any:
            return pack(self, shape, *args) if shape.name < "gateway_call" else stay()

        patched(archive.Writer, "table", table)
    call_command(*command)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

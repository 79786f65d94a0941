"""What it costs one recorder and its Postgres to write a row, in the groups in which rows are written."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import psutil

from bench.processes import NotReady, worked_s

GROUPS: Final = (1, 20, 200, 2_000)


def write(folder: Path, seconds: float = 4.0) -> list[dict[str, Any]]:
    """By the size of a group: ledger rows a second as it came out here, milliseconds of processor a row of this process
    and of Postgres, and how many a second that lets one recorder write, which waits for Postgres in between."""
    import os

    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.tests.settings"
    import django

    django.setup()
    from benchwarmers.tests.performance.big.stores import store
    from gateway.engine.batch import write_records
    from gateway.tests.engine.written import AT, call, make_rows

    found = []
    with store("postgres", folder):
        rows, server = make_rows(), _server()
        for size in GROUPS:
            done, began, worked, stored = 0, time.perf_counter(), time.process_time(), worked_s(server)
            while time.perf_counter() - began < seconds:
                at = AT + timedelta(seconds=done)
                write_records([call(rows, at=at) for _ in range(size)])
                done += size
            span = time.perf_counter() - began
            used = (time.process_time() - worked) * 1000 / done
            store_ms = (worked_s(server) - stored) * 1000 / done
            at_most = 1000 / (used + store_ms)
            found.append(
                {"group": size, "came_per_s": done / span, "row_ms": used, "store_ms": store_ms, "rows_per_s": at_most}
            )
    return found


def _server() -> psutil.Process:
    from django.db import connection

    connection.ensure_connection()
    parent = psutil.Process(connection.connection.info.backend_pid).parent()
    if parent is None:
        raise NotReady("Postgres is gone")
    return parent

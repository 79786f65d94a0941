"""What deleting the oldest month costs while calls come in: how long the recorder's writes take before, meanwhile and
afterwards, and what Postgres has to clear away."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import psutil
from django.db import connection
from django.db.models import Min
from django.utils import timezone

from collections_app.models import GatewayKey, LanguageModel, Setting
from gateway.engine.batch import write_records
from gateway.engine.retention import delete_old
from gateway.models import Call, Panel
from gateway.tests.engine.written import Rows, call
from probes.retention import every_rule

DAYS: Final = 30
CALLS: Final = 10
EVERY_S: Final = 0.05
QUIET_S: Final = 15.0


@dataclass(frozen=True)
class Writes:
    """Groups of ten calls, twenty a second: how many, and the milliseconds of their transactions."""

    count: int
    p50: float
    p99: float
    most: float


@dataclass(frozen=True)
class Retained:
    """`rows` by what they were; `cpu_s` of the server process that deleted them."""

    rows: dict[str, int]
    seconds: float
    cpu_s: float
    batches: int
    before: Writes
    meanwhile: Writes
    vacuum_s: dict[str, float]


class Writer:
    """Writes calls as the recorder does, from a thread of its own, until the block is over."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def told(self) -> Writes:
        took = sorted(self.took)
        return Writes(len(took), statistics.median(took), took[len(took) * 99 // 100], took[-1])

    def _write(self) -> None:
        key = GatewayKey.objects.filter(revoked_at=None).order_by("pk")[0]
        assert key.owner is not None
        panel = Panel.objects.exclude(collection=None).order_by("-started_at")[0]
        assert panel.collection is not None
        rows = Rows(key.owner, key, panel.collection, list(LanguageModel.objects.order_by("pk")[:3]))
        while not self._over.wait(EVERY_S):
            began = time.perf_counter()
            write_records([call(rows, at=timezone.now()) for _ in range(CALLS)])
            self.took.append((time.perf_counter() - began) * 1000)
        connection.close()


def retain(days: int = DAYS, now: Callable[[], datetime] = timezone.now) -> Retained:
    """Delete so many of the oldest days of everything that grows, the logs and probes too."""
    oldest = Call.objects.aggregate(at=Min("at"))["at"]
    kept = (now() - oldest).days - days
    rules = every_rule(Setting(ledger_days=kept, work_days=kept, sample_days=kept, log_days=kept), now())
    with Writer() as quiet:
        time.sleep(QUIET_S)
    batches: list[int] = []
    began, worked = time.monotonic(), _worked()
    with Writer() as meanwhile:
        rows = delete_old(rules, lambda done, of: batches.append(done))
    seconds, cpu_s = time.monotonic() - began, _worked() - worked
    return Retained(rows, seconds, cpu_s, len(batches), quiet.told(), meanwhile.told(), _vacuum(rules))


def _worked() -> float:
    connection.ensure_connection()
    times = psutil.Process(connection.connection.info.backend_pid).cpu_times()
    return float(times.user + times.system)


def _vacuum(rules: list[Any]) -> dict[str, float]:
    """Seconds of processor that clearing away takes of each table, which autovacuum does by itself."""
    found = {}
    for table in dict.fromkeys(rule.rows.model._meta.db_table for rule in rules):
        worked = _worked()
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM (ANALYZE) {table}")
        found[table] = _worked() - worked
    return found

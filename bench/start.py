"""How long a start takes, and what everything weighs while nobody asks for anything."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, Final

import psutil

from bench.ground import Ground, Pace
from bench.report import Column, one
from benchwarmers.tests.up.running import Running

IDLE_S: Final = 2.0
COLUMNS: Final = (Column("what", "what"), Column("value", "value", one), Column("unit", "unit"))


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a figure: the first start makes the database, the second is the usual one. Memory is proportional, where
    the system tells it."""
    with tempfile.TemporaryDirectory(prefix="bench-start-") as home:
        first, _ = _start(Path(home))
        second, weights = _start(Path(home))
    rows = [
        {"what": "first start, to the first answer", "value": first, "unit": "s"},
        {"what": "second start, to the first answer", "value": second, "unit": "s"},
    ]
    rows += [{"what": f"idle: {name}", "value": weight / 1e6, "unit": "MB"} for name, weight in weights.items()]
    return [*rows, {"what": "idle: everything", "value": sum(weights.values()) / 1e6, "unit": "MB"}]


def _start(home: Path) -> tuple[float, dict[str, int]]:
    """(seconds to the first answer, bytes by process)."""
    run = Running(home, measured=False, extra={"BENCH_FEEDS": "off"})
    try:
        answered = run.wait_until_whole()
        time.sleep(IDLE_S)
        there = run.children() | {"up": psutil.Process(run.process.pid)}
        return answered, {name: _weight(process) for name, process in there.items()}
    finally:
        run.end()


def _weight(process: psutil.Process) -> int:
    told = process.memory_full_info()
    return int(getattr(told, "pss", told.rss))

"""Figures as tables in markdown, and as one JSON file with the machine, the time and the command."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.processes import CORES

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """`key` of the rows, its heading, and how a value is written; one that is not there leaves its cell empty."""

    key: str
    heading: str
    write: Callable[[Any], str] = str


def one(value: float) -> str:
    return f"{value:.1f}"


def two(value: float) -> str:
    return f"{value:.2f}"


def count(value: float) -> str:
    """Three digits, which is what they mean."""
    return f"{value:.1f}" if value < 100 else f"{float(f'{value:.3g}'):,.0f}"


def times(value: float) -> str:
    """How many times another figure."""
    return f"{value:.2f} x"


def table(columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """As markdown; numbers stand to the right."""
    lines = [
        "| " + " | ".join(column.heading for column in columns) + " |",
        "|" + "|".join("---" if column.write is str else "---:" for column in columns) + "|",
    ]
    for row in rows:
        lines.append("| " + " | ".join(_cell(column, row.get(column.key)) for column in columns) + " |")
    return "\n".join(lines)


def _cell(column: Column, value: Any) -> str:
    return "" if value is None else column.write(value)


def about(command: str, now: datetime) -> dict[str, Any]:
    """The machine, the time and the command; `crowded` when others have much of it."""
    return {
        "command": command,
        "at": now.isoformat(timespec="minutes"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "cores": CORES.told,
        "load": round(os.getloadavg()[0], 1),
        "crowded": os.getloadavg()[0] > (os.cpu_count() or 1) / 2,
    }


def _processor() -> str:
    """What the processor calls itself, where it says."""
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()

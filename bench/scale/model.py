"""Adds the measured slopes up: what a load needs, and which limit it meets first. No I/O."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.report import Column, count, one, table, two

FIGURES: Final = Path(__file__).with_name("figures.json")
BUSY: Final = 0.6
"""How much of its core a web process is planned to use; see `waits`."""
CALLERS: Final = 10_000
"""Connections that one web process takes (BENCH_CONNECTIONS)."""
FILES: Final = 65_536
STORE_LINES: Final = 3
"""Connections to Postgres of a web process: one that reads, one that writes, one for pages."""
STEPS: Final = 6
"""Pieces in which the loop does a turn."""
HICCUP_MS: Final = 5.0
HICCUP_EVERY: Final = 2_000
ONE_CORE_MS: Final = 1_000.0
YEAR_S: Final = 365 * 24 * 3_600


@dataclass(frozen=True, slots=True)
class Slopes:
    """What each turn, event and open stream takes. Milliseconds and microseconds are of processor time."""

    turn_ms: float
    event_us: float
    stream_kb: float
    web_mb: float
    store_ms: float
    rows: float
    redis_ms: float
    scripts: float
    recorder_rows_per_s: float


@dataclass(frozen=True, slots=True)
class Load:
    """So many agents' streams open at once, each for `turn_s` and with so many events a second."""

    name: str
    streams: int
    turn_s: float
    events_per_s: float

    @property
    def turns_per_s(self) -> float:
        return self.streams / self.turn_s


@dataclass(frozen=True, slots=True)
class Needs:
    """What it takes. `meets` is what asks for the most web processes."""

    webs: int
    meets: str
    cores: float
    memory_gb: float
    rows_per_s: float
    store_cores: float
    store_lines: int
    scripts_per_s: float
    redis_percent: float


def slopes_of(figures: Mapping[str, Any]) -> Slopes:
    """From what `measure` keeps. Turns cost what they cost one process; a stream what it takes among the most."""
    turn, last = figures["carry"]["1"], figures["many"][-1]
    return Slopes(
        turn_ms=turn["web_ms"],
        event_us=last["event_us"],
        stream_kb=last["kb"],
        web_mb=max(figures["carry"]["held"]["1"]["web_mb"]),
        store_ms=turn["store_ms"],
        rows=turn["rows"],
        redis_ms=turn["redis_ms"],
        scripts=turn["scripts"],
        recorder_rows_per_s=max(row["rows_per_s"] for row in figures["write"]),
    )


def needs(load: Load, by: Slopes) -> Needs:
    """The fewest web processes that keep within every limit, and what the rest has to do then."""
    cores = (load.turns_per_s * by.turn_ms + load.streams * load.events_per_s * by.event_us / 1000) / ONE_CORE_MS
    asked = {
        "processor": cores / BUSY,
        "connections": load.streams / CALLERS,
        "files": 2 * load.streams / FILES,
        "recorder": load.turns_per_s * by.rows / (by.recorder_rows_per_s * BUSY),
    }
    meets = max(asked, key=lambda name: asked[name])
    webs = max(1, math.ceil(asked[meets]))
    return Needs(
        webs=webs,
        meets=meets,
        cores=cores,
        memory_gb=(webs * by.web_mb * 1e6 + load.streams * by.stream_kb * 1024) / 1e9,
        rows_per_s=load.turns_per_s * by.rows,
        store_cores=load.turns_per_s * by.store_ms / ONE_CORE_MS,
        store_lines=webs * STORE_LINES,
        scripts_per_s=load.turns_per_s * by.scripts,
        redis_percent=load.turns_per_s * by.redis_ms / ONE_CORE_MS * 100,
    )


def waits(busy: float, step_ms: float, hiccup_ms: float, every: int, steps: int, rng: Random) -> float:
    """The 99th percentile, in milliseconds, of how long a step waits for an event loop that is so busy: steps come at
    random, each takes `step_ms`, and one of `every` takes `hiccup_ms`, as a large body or a sweep of garbage does."""
    mean = step_ms + (hiccup_ms - step_ms) / every
    free, now, told = 0.0, 0.0, []
    for _ in range(steps):
        now += rng.expovariate(busy / mean)
        told.append(max(free - now, 0.0))
        free = max(free, now) + (hiccup_ms if rng.randrange(every) == 0 else step_ms)
    return sorted(told)[len(told) * 99 // 100]


LOADS: Final = (
    Load("a team: 50 agents at work", 50, 30, 30),
    Load("1,000 streams", 1_000, 30, 30),
    Load("10,000 streams, slow models", 10_000, 60, 10),
    Load("10,000 streams", 10_000, 30, 30),
)


def told(figures: Mapping[str, Any]) -> str:
    """The tables of docs/scaling.md."""
    by = slopes_of(figures)
    writers: dict[str, Callable[[Any], str]] = {
        "cores": two,
        "memory_gb": two,
        "store_cores": two,
        "redis_percent": one,
    }
    headings = {
        "name": "load",
        "turns": "turns/s",
        "webs": "web processes",
        "meets": "because of",
        "cores": "web cores",
        "memory_gb": "web memory, GB",
        "rows_per_s": "rows/s",
        "store_cores": "Postgres cores",
        "store_lines": "its connections",
        "scripts_per_s": "Redis scripts/s",
        "redis_percent": "of its core, %",
    }
    plain = {"name", "meets", "webs", "store_lines"}
    columns = [Column(key, text, str if key in plain else writers.get(key, count)) for key, text in headings.items()]
    rows = []
    for load in LOADS:
        needed = needs(load, by)
        rows.append(
            {"name": load.name, "turns": load.turns_per_s} | {key: getattr(needed, key) for key in Needs.__slots__}
        )
    always = Random(1)  # noqa: S311 to be repeated
    busy = [
        {"busy": f"{share:.0%}", "wait": waits(share, by.turn_ms / STEPS, HICCUP_MS, HICCUP_EVERY, 200_000, always)}
        for share in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
    ]
    per_year = [
        {"rows": f"{rows_a_year:,}", "mean": rows_a_year / YEAR_S, "peak": rows_a_year / YEAR_S * 10}
        for rows_a_year in (1_000_000, 10_000_000, 100_000_000)
    ]
    waiting = (Column("busy", "the loop is busy"), Column("wait", "99 % wait less than, ms", two))
    yearly = (
        Column("rows", "calls a year"),
        Column("mean", "a second, mean", two),
        Column("peak", "at ten times", one),
    )
    return "\n\n".join((table(columns, rows), table(waiting, busy), table(yearly, per_year))) + "\n"

"""Everything that is held to bounds while a database grows, measured over one that is filled: how large its tables are,
what pages and background work ask of it, what a turn costs, and what deleting costs those who write."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchwarmers.tests.performance.big.explain import Plan
from benchwarmers.tests.performance.big.hot import Asked, ask_hot
from benchwarmers.tests.performance.big.measure import Figure, measure
from benchwarmers.tests.performance.big.report import report
from benchwarmers.tests.performance.big.retain import Retained, Writes, retain
from benchwarmers.tests.performance.big.sizes import Size, sizes

PARTS = ("sizes", "hot", "pages", "turns", "retention")


def growth(folder: Path, only: str, kept: Path | None, say: Callable[[str], object]) -> None:
    """All parts, or the one that `only` names: tables on the standard output, all figures as JSON in `kept`. The last
    deletes the oldest month."""
    found: dict[str, Any] = {}
    for part in [only] if only else PARTS:
        say(part)
        found[part] = _ACTS[part](folder)
    if kept:
        kept.write_text(json.dumps(found, indent=1, default=str))


def _sizes(folder: Path) -> list[dict[str, Any]]:
    found = sizes()
    _print("table", "rows", "MB", "MB of indexes")
    for one in found:
        _print(one.table, f"{one.rows:,}", *_megabytes(one))
    return [asdict(one) for one in found]


def _megabytes(one: Size) -> tuple[str, str]:
    return f"{one.bytes / 1e6:,.0f}", f"{one.index_bytes / 1e6:,.0f}"


def _hot(folder: Path) -> list[dict[str, Any]]:
    _print("what", "queries", "ms", "of it reading", "pages of 8 KB", "read whole")
    found = []
    for one in ask_hot():
        _print(one.name, one.queries, f"{one.ms:.1f}", *_read(one.plans))
        found.append(_told(one))
    return found


def _read(plans: Sequence[Plan]) -> tuple[str, str, str]:
    whole = sorted({table for plan in plans for table in plan.whole})
    return f"{sum(plan.ms for plan in plans):.1f}", f"{sum(plan.pages for plan in plans):,}", ", ".join(whole)


def _told(one: Asked) -> dict[str, Any]:
    return {"name": one.name, "queries": one.queries, "ms": one.ms, "plans": [asdict(plan) for plan in one.plans]}


def _pages(folder: Path) -> list[dict[str, Any]]:
    found: list[Figure] = list(measure())
    report({"postgres": found}, None)
    return [asdict(one) | {"statements": None, "over": one.over} for one in found]


def _turns(folder: Path) -> dict[str, Any]:
    from benchwarmers.tests.performance.big.turns import turns

    with tempfile.TemporaryDirectory(prefix="turns-") as place:
        found = turns(Path(place))
    _print("database", "CPU ms a turn, web", "Postgres", "both", "turns a second")
    for name, one in found.items():
        both = one.cpu_ms + one.postgres_cpu_ms
        _print(name, f"{one.cpu_ms:.3f}", f"{one.postgres_cpu_ms:.3f}", f"{both:.3f}", f"{one.per_s:.0f}")
    return {name: asdict(one) for name, one in found.items()}


def _retention(folder: Path) -> dict[str, Any]:
    found = retain()
    _print("what went", "rows")
    for thing, count in found.rows.items():
        _print(thing, f"{count:,}")
    _write_latencies(found)
    return asdict(found)


def _write_latencies(found: Retained) -> None:
    sys.stdout.write(
        f"{found.batches:,} batches in {found.seconds:.0f} s, of which the server worked {found.cpu_s:.0f}; clearing"
        f" away afterwards {sum(found.vacuum_s.values()):.1f} s\n"
    )
    _print("writes of ten calls", "count", "p50 ms", "p99 ms", "longest ms")
    for name, one in (("before", found.before), ("meanwhile", found.meanwhile)):
        _print(name, one.count, *_milliseconds(one))


def _milliseconds(one: Writes) -> tuple[str, ...]:
    return f"{one.p50:.1f}", f"{one.p99:.1f}", f"{one.most:.1f}"


def _print(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


_ACTS: dict[str, Callable[[Path], Any]] = {
    "sizes": _sizes,
    "hot": _hot,
    "pages": _pages,
    "turns": _turns,
    "retention": _retention,
}

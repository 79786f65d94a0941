"""Tables and a file of what was measured."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwarmers.tests.performance.big.measure import Figure


def report(found: Mapping[str, Sequence[Figure]], kept: Path | None) -> None:
    """One line for each route with the worst of its addresses and people, then every figure that is over a bound."""
    by_route: dict[str, dict[str, list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for kind, figures in found.items():
        for figure in figures:
            by_route[figure.route][kind].append(figure)
    print("| page | queries | KB | " + " | ".join(f"{kind}, ms | worked" for kind in found) + " |")
    print("|---|---:|---:|" + "---:|---:|" * len(found))
    for route, kinds in sorted(by_route.items()):
        everything = [figure for figures in kinds.values() for figure in figures]
        queries, size = (max(getattr(one, name) for one in everything) for name in ("queries", "bytes"))
        times = [
            f"{max(one.ms for one in kinds[kind]):.0f} | {max(one.cpu for one in kinds[kind]):.0f}" for kind in found
        ]
        print(f"| {route} | {queries} | {size / 1024:.0f} | {' | '.join(times)} |")
    for kind, figures in found.items():
        for one in figures:
            if one.over:
                print(f"over ({', '.join(one.over)}): {_line(kind, one)}")
    if kept:
        kept.write_text(json.dumps([_told(kind, one) for kind, figures in found.items() for one in figures], indent=1))


def print_plans(found: Mapping[str, Sequence[Figure]], number: int) -> None:
    """So many of the slowest queries of each figure."""
    for kind, figures in found.items() if number else ():
        for one in figures:
            print(_line(kind, one))
            for statement, ms in sorted(one.statements, key=lambda pair: -pair[1])[:number]:
                sys.stdout.write(f"    {ms:.0f} ms {statement[:1500]}\n")


def _line(kind: str, one: Figure) -> str:
    size = one.bytes / 1024
    return f"{kind} {one.person} {one.status} {one.address}: {one.queries} queries, {one.ms:.0f} ms, {size:.0f} KB"


def _told(kind: str, one: Figure) -> dict[str, Any]:
    names = ("route", "address", "person", "status", "queries", "ms", "cpu", "bytes")
    return {"store": kind} | {name: getattr(one, name) for name in names} | {"over": one.over}

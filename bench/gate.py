"""The limits that a change must not pass, in processor time beside the minimal relay's: a noisy machine moves such a
ratio far less than a rate. They leave room for half as much again as a crowded machine was seen to need.

    python -m bench quick [--rounds 5] [--seconds 1] [--json FILE]
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from bench.ground import ground
from bench.report import Column, about, count, table, times, two
from bench.rounds import visit
from bench.route import STREAMS, TOGETHER, cases

LIMITS: Final = {TOGETHER: 7.5, STREAMS: 3.6}
"""How many times the relay's processor time a reply may take."""
COLUMNS: Final = (
    Column("case", "chat completions, route mode"),
    Column("relay_cpu_ms", "minimal relay, CPU ms", two),
    Column("cpu_ms", "Benchwarmers, CPU ms", two),
    Column("ratio", "ratio, median of rounds", times),
    Column("limit", "limit", times),
    Column("per_s", "replies/s", count),
)


def main(words: list[str]) -> int:
    """Measures and judges; 1 when a limit was passed."""
    parser = ArgumentParser("python -m bench quick", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each visit")
    parser.add_argument("--json", type=Path, help="where the figures go")
    chosen = parser.parse_args(words)
    rows = measure(chosen.rounds, chosen.seconds)
    print(table(COLUMNS, rows))
    if chosen.json:
        told = about(" ".join(("python -m bench quick", *words)), datetime.now().astimezone())
        chosen.json.write_text(json.dumps(told | {"quick": rows}, indent=1) + "\n", "utf-8")
    passed = judge({row["case"]: row["ratio"] for row in rows})
    for line in passed:
        print(line, file=sys.stderr)
    return 1 if passed else 0


def measure(rounds: int, seconds: float) -> list[dict[str, Any]]:
    """A row for each limit."""
    with ground() as on:
        wanted = [case for case in cases((on.relay, on.gateway), seconds) if case.name in LIMITS]
        found = visit(wanted, rounds)
        ours, least = on.gateway.name, on.relay.name
    return [
        {
            "case": case,
            "relay_cpu_ms": found.median(case, least, "cpu_ms"),
            "cpu_ms": found.median(case, ours, "cpu_ms"),
            "ratio": found.ratio(case, ours, least, "cpu_ms"),
            "limit": limit,
            "per_s": found.median(case, ours, "per_s"),
        }
        for case, limit in LIMITS.items()
    ]


def judge(ratios: Mapping[str, float]) -> list[str]:
    """A sentence for each limit that was passed."""
    return [
        f"{case}: {ratios[case]:.1f} times the processor time of the minimal relay, and {limit:g} are allowed"
        for case, limit in LIMITS.items()
        if not ratios[case] <= limit
    ]

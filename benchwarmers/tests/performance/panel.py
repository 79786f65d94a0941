"""Measures a panel of five over a 50 ms upstream beside a minimal panel, interleaved, both pinned to the first core.

    python -m benchwarmers.tests.performance.panel [--rounds 3] [--seconds 4] [--harness ../shared/bench]

Needs the load harness (a fast fake upstream, a cheap client, the minimal panel) in `--harness`. Loopback only. Prints a
table of medians: what is added over the slowest seat with one caller, panels a second with 16, and the processor time
of a panel.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
from pathlib import Path

from benchwarmers.tests.performance.bed import (
    HARNESS,
    Target,
    load,
    running_minimal,
    running_product,
    running_upstream,
)

SEATS = [f"fake-d50-n1-g0-{letter}" for letter in "abcde"]
UPSTREAM_MS = 50.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=4.0)
    arguments.add_argument("--harness", type=Path, default=HARNESS)
    chosen = arguments.parse_args()
    sys.path.insert(0, str(chosen.harness))
    with contextlib.ExitStack() as stack:
        upstream = stack.enter_context(running_upstream(chosen.harness))
        targets = {
            f"minimal panel, {client}": stack.enter_context(
                running_minimal(chosen.harness, "panel_asgi", upstream, client, "panel5")
            )
            for client in ("aiohttp", "httpx-aiohttp")
        }
        targets["benchwarmers"] = stack.enter_context(running_product(set_up(upstream), "bench/five"))
        report(measure(targets, chosen.rounds, chosen.seconds))


def set_up(upstream: str) -> str:
    """A collection of five seats, each a model of the fake upstream."""
    models = "".join(f'[[model]]\nalias = "{seat}"\nserved = "{seat}"\nendpoint = "fake"\n\n' for seat in SEATS)
    return (
        f'[[endpoint]]\nname = "fake"\nbase = "{upstream}"\nkind = "local"\napi = "chat"\ndefault = true\n\n{models}'
        f'[[collection]]\nname = "five"\nmembers = {json.dumps(SEATS)}\nshape = "general"\nmax_explorers = 0\n'
    )


def measure(targets: dict[str, Target], rounds: int, seconds: float) -> dict[str, dict[str, list[float]]]:
    """Figures of every round by target: added ms at one caller, panels a second at 16, CPU ms of a panel."""
    found: dict[str, dict[str, list[float]]] = {name: {"added": [], "rate": [], "cpu": []} for name in targets}
    for _ in range(rounds):
        for name, target in targets.items():
            alone = asyncio.run(load(target, 1, seconds))
            before = target.used_s()
            together = asyncio.run(load(target, 16, seconds))
            used = target.used_s() - before
            bad = {status: n for status, n in {**alone["status"], **together["status"]}.items() if status != 200}
            if bad or alone["errors"] or together["errors"]:
                raise SystemExit(f"{name} answered {bad or 'with broken connections'}")
            found[name]["added"].append(alone["latency_ms"]["p50"] - UPSTREAM_MS)
            found[name]["rate"].append(together["rps"])
            found[name]["cpu"].append(used * 1000 / sum(together["status"].values()))
    return found


def report(found: dict[str, dict[str, list[float]]]) -> None:
    """Prints the medians and the ratio to the first target."""
    base = statistics.median(next(iter(found.values()))["rate"])
    print("| target | added at 1 caller, ms | panels/s at 16 callers | of the minimal | CPU ms a panel |")
    print("|---|---|---|---|---|")
    for name, figures in found.items():
        added, rate, cpu = (statistics.median(figures[key]) for key in ("added", "rate", "cpu"))
        print(f"| {name} | {added:.1f} | {rate:.0f} | {rate / base:.2f} | {cpu:.2f} |")


if __name__ == "__main__":
    main()

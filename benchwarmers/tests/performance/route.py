"""Measures route mode beside a minimal relay, interleaved, both pinned to the first core.

    python -m benchwarmers.tests.performance.route [--rounds 3] [--seconds 3] [--memory] [--evidence 200000]

Needs the load harness (a fast fake upstream, a cheap client, the minimal relay) in `--harness`. Loopback only. Prints a
table of medians: turns a second at 16 callers with an upstream that answers at once and the processor time of a turn,
what is added at one caller, events a second in streams of 50 chunks, and the memory of an open stream.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchwarmers.tests.performance.bed import (
    HARNESS,
    Target,
    load,
    running_minimal,
    running_product,
    running_upstream,
)

AT_ONCE = "fake-d0-n1-g0"
CHUNKS = "fake-d0-n50-g0"
SLOW = "fake-d0-n40-g500"
STREAMS = 500
Found = dict[str, dict[str, list[float]]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=3.0)
    arguments.add_argument("--harness", type=Path, default=HARNESS)
    arguments.add_argument("--memory", action="store_true", help="also open 500 slow streams")
    arguments.add_argument("--evidence", type=int, default=0, help="also with so many pieces of evidence")
    chosen = arguments.parse_args()
    sys.path.insert(0, str(chosen.harness))
    with contextlib.ExitStack() as stack:
        upstream = stack.enter_context(running_upstream(chosen.harness))
        targets = {
            "no gateway": Target(f"{upstream}/chat/completions", "{}", 1),
            "minimal relay, aiohttp": stack.enter_context(
                running_minimal(chosen.harness, "relay_asgi", upstream, "aiohttp", "{}")
            ),
            "benchwarmers, route": stack.enter_context(running_product(set_up(upstream), "bench/{}:route")),
        }
        if chosen.evidence:
            filled = running_product(set_up(upstream), "bench/{}:route", chosen.evidence)
            targets[f"the same, {chosen.evidence:,} pieces of evidence"] = stack.enter_context(filled)
        found = measure(targets, chosen.rounds, chosen.seconds)
        if chosen.memory:
            for name, target in list(targets.items())[1:]:
                found[name]["memory"] = [memory(target, chosen.harness)]
        report(found)


def set_up(upstream: str) -> str:
    """A collection for each model of the fake upstream."""
    text = f'[[endpoint]]\nname = "fake"\nbase = "{upstream}"\nkind = "local"\napi = "chat"\ndefault = true\n\n'
    for model in (AT_ONCE, CHUNKS, SLOW):
        text += f'[[model]]\nalias = "{model}"\nserved = "{model}"\nendpoint = "fake"\ntools = true\n\n'
        text += f'[[collection]]\nname = "{model}"\nmembers = {json.dumps([model])}\n\n'
    return text


def measure(targets: dict[str, Target], rounds: int, seconds: float) -> Found:
    """Figures of every round by target; the first one's median is what the others are measured against."""
    found: Found = {name: {"alone": [], "rate": [], "cpu": [], "events": []} for name in targets}
    for _ in range(rounds):
        for name, target in targets.items():
            figures = found[name]
            one = asyncio.run(load(target, 1, seconds, model=target.model.format(AT_ONCE)))
            before = target.used_s()
            many = asyncio.run(load(target, 16, seconds, model=target.model.format(AT_ONCE)))
            used = target.used_s() - before
            streams = asyncio.run(load(target, 16, seconds, model=target.model.format(CHUNKS), stream=True))
            for run in (one, many, streams):
                bad = {status: count for status, count in run["status"].items() if status != 200}
                if bad or run["errors"]:
                    raise SystemExit(f"{name} answered {bad or 'with broken connections'}")
            figures["alone"].append(one["latency_ms"]["p50"])
            figures["rate"].append(many["rps"])
            figures["cpu"].append(used * 1000 / sum(many["status"].values()))
            figures["events"].append(streams["events_per_s"])
    return found


def memory(target: Target, harness: Path) -> float:
    """KB that an open stream takes: 500 of them, each at its first chunks."""
    before = target.process.memory_info().rss
    command = [sys.executable, str(harness / "load_client.py"), target.url, "--model", target.model.format(SLOW)]
    client = subprocess.Popen([*command, "--stream", "-c", str(STREAMS), "-t", "8"], stdout=subprocess.DEVNULL)
    time.sleep(7)
    grown = target.process.memory_info().rss - before
    client.terminate()
    client.wait()
    return float(grown / STREAMS / 1024)


def report(found: Found) -> None:
    """Prints the medians, and how many times the minimal relay's processor time a turn takes."""
    names = list(found)
    alone, base = statistics.median(found[names[0]]["alone"]), statistics.median(found[names[1]]["cpu"])
    print("| target | added at 1 caller, ms | turns/s at 16 | CPU ms a turn | x minimal | events/s | KB a stream |")
    print("|---|---|---|---|---|---|---|")
    for name, figures in found.items():
        median = {key: statistics.median(values) for key, values in figures.items()}
        kept = f"{median['memory']:.0f}" if "memory" in median else ""
        print(
            f"| {name} | {median['alone'] - alone:.2f} | {median['rate']:.0f} | {median['cpu']:.2f} "
            f"| {median['cpu'] / base:.1f} | {median['events']:.0f} | {kept} |"
        )


if __name__ == "__main__":
    main()

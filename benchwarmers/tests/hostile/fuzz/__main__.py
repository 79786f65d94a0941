"""python -m benchwarmers.tests.hostile.fuzz [--minutes 10] [--seed 0] [--only WORD] [--inputs N] [--json FILE]

Every parser gets its share of the time. An input that is a finding is told with its trace and kept in `build/fuzz/`;
it stays reproducible by its target, seed and number.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

KEPT = Path(__file__).resolve().parents[4] / "build" / "fuzz"
MOST_FINDINGS = 5
"""Of different traces, for one parser; it is left alone then."""


@dataclass
class Came:
    """What came of one parser's inputs."""

    name: str
    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def main() -> int:
    """Run; 1 when there was a finding."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--minutes", type=float, default=10.0)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--only", default="", help="a word in the names of the parsers to attack")
    words.add_argument("--inputs", type=int, default=0, help="how many for each parser, instead of a time")
    words.add_argument("--json", type=Path, help="where the figures go as well")
    given = words.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.tests.settings")
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from benchwarmers.tests.hostile.fuzz.targets import all_targets

    targets = [target for target in all_targets() if given.only in target.name]
    share = given.minutes * 60 / max(1, len(targets))
    came = []
    for target in targets:
        came.append(attack(target, given.seed, share, given.inputs))
        tell(came[-1])
    total, seconds = sum(one.inputs for one in came), sum(one.seconds for one in came)
    findings = sum(len(one.findings) for one in came)
    print(f"{total:,} inputs for {len(came)} parsers in {seconds:,.0f} s, seed {given.seed}: {findings} findings")
    if given.json:
        rows = [{"parser": one.name, "inputs": one.inputs, "seconds": round(one.seconds, 1)} for one in came]
        given.json.write_text(json.dumps(rows, indent=1))
    return 1 if findings else 0


def attack(target, seed: int, seconds: float, most: int) -> Came:  # type: ignore[no-untyped-def]  # Django comes first
    """One parser, for so many seconds or inputs."""
    from benchwarmers.tests.hostile.fuzz.base import input_of

    came = Came(target.name)
    known: set[str] = set()
    began = time.monotonic()
    while (came.inputs < most) if most else (time.monotonic() - began < seconds):
        data, rng = input_of(target, seed, came.inputs)
        at = time.process_time()
        try:
            came.outcomes[target.try_one(data, rng)] += 1
        except Exception as error:
            place = where(error)
            if place not in known:
                known.add(place)
                came.findings.append(f"input {came.inputs}: {keep(target.name, seed, came.inputs, data, error)}")
        came.slowest = max(came.slowest, time.process_time() - at)
        came.inputs += 1
        if len(known) >= MOST_FINDINGS:
            break
    came.seconds = time.monotonic() - began
    return came


def where(error: Exception) -> str:
    """The kind of error and the last places of its trace: what makes two findings one."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} {places[-3:] if not isinstance(error, RecursionError) else places[:4]}"


def keep(name: str, seed: int, number: int, data: bytes, error: Exception) -> str:
    """Writes the input down; returns the end of the trace."""
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name.replace('/', '_').replace(' ', '-')}-{seed}-{number}").write_bytes(data)
    trace = "".join(traceback.format_exception(error)).splitlines()
    return "\n".join([*(trace[-12:] if len(trace) > 12 else trace), f"of {data[:300]!r}"])


def tell(came: Came) -> None:
    """One line, and the findings below it."""
    speed = came.inputs / came.seconds if came.seconds else 0.0
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(came.outcomes.items()))
    print(
        f"{came.name:38} {came.inputs:>9,} inputs {speed:>8,.0f}/s  slowest {came.slowest * 1000:>6,.0f} ms  "
        f"{len(came.findings)} findings  {told}",
        flush=True,
    )
    for finding in came.findings:
        print(f"    {finding}".replace("\n", "\n    ")[:6_000], flush=True)


if __name__ == "__main__":
    sys.exit(main())

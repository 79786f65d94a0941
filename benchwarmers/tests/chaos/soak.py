"""Runs the product for long under callers who read badly, and says whether its memory rises:

    python -m benchwarmers.tests.chaos.soak [--seconds 3600] [--warm 300] [--seed 1] [--json FILE]

Streams that are left at random moments, readers of a kilobyte a second and of nothing at all, panels, merged panels,
embeddings, verdicts and pages. Ends with 1 when a process's memory, descriptors or connections rise for sure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.tests.settings")
django.setup()

import psutil  # noqa: E402 as below
from msgspec import Struct  # noqa: E402

from benchwarmers.tests.chaos import readers  # noqa: E402 the formats' requests need the apps
from benchwarmers.tests.chaos.callers import Callers  # noqa: E402
from benchwarmers.tests.chaos.journal import End, Journal  # noqa: E402
from benchwarmers.tests.chaos.place import WEBS, Place, running  # noqa: E402
from benchwarmers.tests.chaos.slope import Slope, draw_together, theil_sen  # noqa: E402

EVERY_S: Final = 5.0
POINTS: Final = 60
MB: Final = 1e6
HOUR: Final = 3_600.0
TOLERATED: Final = {"memory": 1.0, "descriptors": 20.0, "threads": 2.0}
"""What a rise of MB or pieces an hour may be though it is sure: less than anybody would notice in a week."""
MIXED: Final = 6
LEAVERS: Final = 6
DRIPPERS: Final = 3
STARERS: Final = 3


class Sample(Struct, frozen=True):
    """One process at a time (seconds since the beginning). Memory is its own share, in bytes."""

    at: float
    memory: int
    descriptors: int
    threads: int


class BadReaders:
    """Keeps so many of each kind busy until `stop` is set; `done` counts them, `failed` what they could not open."""

    def __init__(self, place: Place, seed: int, stop: asyncio.Event) -> None:
        self.place = place
        self.rng = Random(seed)
        self.stop = stop
        self.done: dict[str, int] = {"left": 0, "dripped": 0, "stared": 0, "failed": 0}
        self._number = 0

    async def run(self) -> None:
        kinds = {"left": LEAVERS, "dripped": DRIPPERS, "stared": STARERS}
        await asyncio.gather(*(self._busy(kind) for kind, many in kinds.items() for _ in range(many)))

    async def _busy(self, kind: str) -> None:
        while not self.stop.is_set():
            self._number += 1
            port, words = self.place.ports[self.rng.choice(WEBS)], f"Number {self._number}, {kind}"
            try:
                match kind:
                    case "left":
                        await readers.leave_in_the_middle(port, words, self.rng)
                    case "dripped":
                        await readers.drip(port, words, self.rng.uniform(5, 40))
                    case _:
                        await readers.stare(port, words, self.rng.uniform(5, 40))
                self.done[kind] += 1
            except (OSError, TimeoutError, AssertionError):
                self.done["failed"] += 1
            await asyncio.sleep(self.rng.uniform(0.0, 0.3))


def sample(process: psutil.Process, began: float) -> Sample:
    memory = process.memory_full_info().uss
    return Sample(time.monotonic() - began, memory, process.num_fds(), process.num_threads())


async def soak(place: Place, seed: int, seconds: float, warm_s: float) -> tuple[dict[str, list[Sample]], Any, Journal]:
    """Samples by process from the end of the warming up on; what the bad readers did; the others' journal."""
    journal = Journal()
    callers = Callers(place, journal, seed, 4.0)
    bad = BadReaders(place, seed, callers.stop)
    load = [asyncio.create_task(callers.run(MIXED)), asyncio.create_task(bad.run())]
    found: dict[str, list[Sample]] = {name: [] for name in WEBS}
    await asyncio.sleep(warm_s)
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        for name, samples in found.items():
            samples.append(await asyncio.to_thread(sample, psutil.Process(place.parts[name].pid), began))
        _forget(journal)
        await asyncio.sleep(EVERY_S)
    callers.stop.set()
    await asyncio.gather(*load)
    return found, bad.done, journal


def _forget(journal: Journal) -> None:
    """What is not needed: the journal of an hour is large, and verdicts are of new calls anyway."""
    journal.answered.clear()
    journal.panels.clear()
    journal.conversations.clear()
    while len(journal.calls) > 2_000:
        call = next(iter(journal.calls))
        journal.calls.pop(call)
        journal.verdicts.pop(call, None)


def slopes(samples: list[Sample]) -> dict[str, Slope]:
    """By what is measured: MB or pieces an hour."""
    found = {}
    for what in TOLERATED:
        unit = MB if what == "memory" else 1.0
        points = [(one.at / HOUR, getattr(one, what) / unit) for one in samples]
        found[what] = theil_sen(draw_together(points, POINTS))
    return found


def judge(found: dict[str, dict[str, Slope]]) -> list[str]:
    """A sentence for each sure rise that is more than is tolerated. Pure."""
    return [
        f"{name}: {what} rises by {slope.value:.2f} an hour ({slope.low:.2f} to {slope.high:.2f})"
        for name, slopes_of in found.items()
        for what, slope in slopes_of.items()
        if slope.low > 0 and slope.value > TOLERATED[what]
    ]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=3_600.0)
    arguments.add_argument("--warm", type=float, default=300.0, help="seconds of load before the first sample")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", type=Path, help="also write the samples there")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-soak-") as folder, running(Path(folder)) as place:
        samples, bad, journal = asyncio.run(soak(place, chosen.seed, chosen.seconds, chosen.warm))
    found = {name: slopes(of) for name, of in samples.items()}
    wrong = judge(found)
    ends = {end.value: sum(one.end is end for one in journal.asked) for end in End}
    print(f"{chosen.seconds:.0f} s after {chosen.warm:.0f} s of warming up. Bad readers: {bad}. Others: {ends}.\n")
    print("| process | what | first | last | rise an hour | 95 % interval | zero in it |")
    print("|---" * 7 + "|")
    for name, slopes_of in found.items():
        for what, slope in slopes_of.items():
            first, last = (getattr(samples[name][place], what) for place in (0, -1))
            unit, mark = (MB, " MB") if what == "memory" else (1, "")
            print(
                f"| {name} | {what} | {first / unit:.1f}{mark} | {last / unit:.1f}{mark} | {slope.value:+.2f} "
                f"| {slope.low:+.2f} to {slope.high:+.2f} | {'yes' if slope.holds_zero else 'no'} |"
            )
    print("\n".join(["", f"Rises: {len(wrong)}", *(f"- {sentence}" for sentence in wrong)]))
    if chosen.json is not None:
        rows = {
            name: [[one.at, one.memory, one.descriptors, one.threads] for one in of] for name, of in samples.items()
        }
        chosen.json.write_text(json.dumps({"bad": bad, "ends": ends, "samples": rows, "wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

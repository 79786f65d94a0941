"""A parser under attack: where its inputs begin, and what it may do with one."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

LONGEST_S = 1.0
"""CPU seconds that an input may take in a campaign. Tests, which run on slower machines, say more."""
HANGS_S = 10.0
LONGEST_WORDS = 10_000
"""Characters in a line of a refusal."""


class Hangs(Exception):
    """The parser was still at it after HANGS_S seconds of CPU."""


class Wordless(Exception):
    """A refusal that says nothing, or far too much."""


@dataclass(frozen=True)
class Target:
    """`read` takes an input and a generator for whatever else it needs; it raises one of `refusals`, or whatever else
    is a finding, and may return a word for what came of it. `seeds` are inputs to begin from, `longest` bounds in bytes
    what is made of them."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes, Random], object]
    refusals: tuple[type[Exception], ...] = ()
    longest: int = 200_000

    def try_one(self, data: bytes, rng: Random, slowest_s: float = LONGEST_S) -> str:
        """What came of it: mostly `read` or `refused`. Raises whatever is a finding."""
        began = time.process_time()
        try:
            with bounded(max(HANGS_S, slowest_s)):
                said = self.read(data, rng)
            outcome = said if isinstance(said, str) else "read"
        except self.refusals as refusal:
            outcome = "refused"
            if not 0 < max(map(len, str(refusal).splitlines()), default=0) < LONGEST_WORDS:
                raise Wordless(repr(str(refusal))[:200]) from refusal
        if (took := time.process_time() - began) > slowest_s:
            raise Hangs(f"{took:.1f} s")
        return outcome


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Ends the block with Hangs after so many seconds of CPU. In the main thread alone."""

    def end(*_: Any) -> None:
        raise Hangs(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def input_of(target: Target, seed: int, number: int) -> tuple[bytes, Random]:
    """The input of this number, the same for the same seed, and the generator it goes with."""
    from benchwarmers.tests.hostile.fuzz.change import change

    rng = Random(f"{target.name} {seed} {number}")
    data = change(rng, seeds_of(target))[: target.longest]
    return data, rng


@cache
def seeds_of(target: Target) -> Sequence[bytes]:
    """Its seeds, made once."""
    return target.seeds()

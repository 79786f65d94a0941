"""Which faults come when: pure, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct

KILL: Final = "kill"
PAUSE: Final = "pause"
TARGETS: Final = ("web-1", "web-2", "worker", "beat", "valkey", "postgres", "upstream-a", "upstream-b")
KINDS: Final = tuple((target, kind) for target in TARGETS for kind in (KILL, PAUSE))
SHORTEST_S: Final = 0.2
LONGEST_S: Final = {KILL: 3.0, PAUSE: 4.0}
"""How long a process stays away. A supervisor starts a killed one after half a second."""
TWO_AT_ONCE: Final = 0.2
NEVER_BOTH: Final = frozenset({"web-1", "web-2"})
"""Nobody could be asked then."""


class Fault(Struct, frozen=True):
    """What is done to `target`. `after_s` is the quiet time before it, since all was well; `with_last` begins it
    together with the one before instead."""

    target: str
    kind: str
    after_s: float
    for_s: float
    with_last: bool = False


def plan_faults(
    seed: int, gap_s: tuple[float, float], *, once: bool = False, two_at_once: float = TWO_AT_ONCE
) -> Iterator[Fault]:
    """Faults for as long as they are taken: every kind once in each round, in another order each time; with `once` one
    round. `gap_s` bounds the quiet before one. A share of `two_at_once` begins together with the one before."""
    rng = Random(seed)
    while True:
        kinds = list(KINDS)
        rng.shuffle(kinds)
        last = ""
        for target, kind in kinds:
            together = bool(last) and last != target and {last, target} != NEVER_BOTH and rng.random() < two_at_once
            after = 0.0 if together else rng.uniform(*gap_s)
            yield Fault(target, kind, after, rng.uniform(SHORTEST_S, LONGEST_S[kind]), together)
            last = "" if together else target  # no more than two
        if once:
            return


def every_kind_once(seed: int) -> Iterator[Fault]:
    """One short round, most of it two by two."""
    return plan_faults(seed, (0.2, 0.5), once=True, two_at_once=1.0)

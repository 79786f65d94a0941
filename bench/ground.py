"""Where measurements stand: a folder, the upstream, and each target from when it is first asked for."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench.others import litellm, original
from bench.processes import CORES
from bench.targets import Target, direct, gateway, minimal, upstream


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a measurement may take: rounds and the seconds of each visit; how many streams are weighed and how many
    rows of earlier work are filled in."""

    rounds: int = 5
    seconds: float = 1.0
    streams: int = 500
    evidence: int = 100_000
    ledger: int = 1_000_000

    @property
    def fewer(self) -> int:
        """Rounds of what has many cases."""
        return max(self.rounds * 3 // 5, 1)


class Ground:
    """Everything that is started ends with the stack. `beside` names other gateways that are wanted too."""

    def __init__(self, stack: contextlib.ExitStack, folder: Path, beside: frozenset[str] = frozenset()) -> None:
        self._stack = stack
        self.folder = folder
        self.beside = beside
        self.base = stack.enter_context(upstream(folder))

    @cached_property
    def direct(self) -> Target:
        return direct(self.base)

    @cached_property
    def relay(self) -> Target:
        return self._stack.enter_context(minimal("minimal relay", "relay", self.base, self.folder))

    @cached_property
    def fan_out(self) -> Target:
        return self._stack.enter_context(minimal("minimal panel", "fan_out", self.base, self.folder))

    @cached_property
    def gateway(self) -> Target:
        return self._stack.enter_context(gateway(self.base, self.folder))

    @cached_property
    def others(self) -> list[Target]:
        """The other gateways that are wanted."""
        found = []
        for name, start in (("original", original), ("litellm", litellm)):
            if name in self.beside:
                found.append(self._stack.enter_context(start(self.base, self.folder)))
        return found

    def filled(self, name: str, evidence: int, ledger: int) -> Target:
        """One more gateway, with so many rows of earlier work."""
        words = ("--evidence", str(evidence), "--ledger", str(ledger))
        return self._stack.enter_context(gateway(self.base, self.folder, name, words))


@contextlib.contextmanager
def ground(beside: frozenset[str] = frozenset()) -> Iterator[Ground]:
    """A ground in a folder that is thrown away; this process is the client, and leaves the measured core alone."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder,
        contextlib.ExitStack() as stack,
        CORES.on(CORES.others),
    ):
        yield Ground(stack, Path(folder), beside)

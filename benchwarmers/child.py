"""One process that `up` keeps: started so that it cannot outlive its parent, its output cut into lines.

Assumes it is used from one thread. Decides when a dead child may start again; never decides whether it should.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 10.0
STEADY_AFTER_S = 30.0
LIFELINE = "BENCHWARMERS_LIFELINE"

_PR_SET_PDEATHSIG = 1


def tie_to(parent: int) -> Callable[[], None] | None:
    """What a new Linux process does before it becomes the program: ask for SIGTERM when `parent` dies."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def tie() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the call
            os._exit(1)

    return tie


@dataclass(slots=True)
class Child:
    """A named command, the process that runs it now, and how long to wait before the next attempt (seconds).

    It inherits `fds`, and has `variables` besides the parent's.
    """

    name: str
    command: list[str]
    stop_within_s: float
    keeps_stdout: bool = False
    fds: tuple[int, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    wait_s: float = FIRST_WAIT_S
    start_at: float | None = None
    stdout: bytes = b""
    _kept: IO[bytes] | None = None
    _streams: dict[int, IO[bytes]] = field(default_factory=dict)
    _rest: dict[int, bytes] = field(default_factory=dict)

    def start(self, now: float, lifeline: int, folder: str) -> list[int]:
        """Start the process; returns the descriptors to read its output from.

        The read end of a pipe that only the parent can write goes along: when it closes, the parent is gone.
        """
        self.start_at = None
        self.started_at = now
        self.process = subprocess.Popen(  # noqa: S603 our own command lines
            self.command,
            cwd=folder,
            env=os.environ
            | {LIFELINE: str(lifeline), "PYTHONUNBUFFERED": "1", "MALLOC_ARENA_MAX": "2"}
            | self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(lifeline, *self.fds),
            preexec_fn=tie_to(os.getpid()),
            start_new_session=True,
        )
        out, err = self.process.stdout, self.process.stderr
        assert out is not None  # noqa: S101 asked for above
        assert err is not None  # noqa: S101
        self._kept = out if self.keeps_stdout else None
        opened = {out.fileno(): out, err.fileno(): err}
        self._streams |= opened
        return list(opened)

    def read(self, descriptor: int) -> list[str] | None:
        """The whole lines that can be read now; None at the end of the output, after which it is closed.

        What a process wrote may come after its end, and after the next one began: its own children hold the pipe too.
        """
        stream = self._streams[descriptor]
        data = os.read(descriptor, 65_536)
        if not data:
            stream.close()
            del self._streams[descriptor]
            self._rest.pop(descriptor, None)
            return None
        if stream is self._kept:
            self.stdout += data
            return []
        lines = (self._rest.pop(descriptor, b"") + data).split(b"\n")
        self._rest[descriptor] = lines.pop()
        return [line.decode("utf-8", "replace") for line in lines]

    @property
    def is_heard(self) -> bool:
        """Whether more may be read of what it wrote."""
        return bool(self._streams)

    def is_alive(self) -> bool:
        """True while the process runs."""
        return self.process is not None and self.process.poll() is None

    def ended(self) -> str | None:
        """How the process ended, in words; None while it runs or before it ran."""
        code = None if self.process is None else self.process.poll()
        if code is None:
            return None
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def plan_restart(self, now: float) -> float:
        """Set when to start again and return the wait: half a second, doubling to ten, reset by a steady life."""
        if now - self.started_at >= STEADY_AFTER_S:
            self.wait_s = FIRST_WAIT_S
        wait = self.wait_s
        self.wait_s = min(self.wait_s * 2, LONGEST_WAIT_S)
        self.process = None
        self.start_at = now + wait
        return wait

    def signal(self, number: signal.Signals) -> None:
        """Send the whole process group a signal; a process that is gone is no error."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return

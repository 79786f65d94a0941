"""Programs that run for as long as a block: each on its processors, the servers under load on one, everything else on
the others."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import psutil

ROOT: Final = Path(__file__).resolve().parents[1]
READY_S: Final = 90.0
ENDS_S: Final = 30.0
KEPT: Final = ("PATH", "HOME", "LANG", "TMPDIR")


class NotReady(Exception):
    """A program did not start; the text has the end of what it said."""


class Cores:
    """Which processors: the first for what is measured, the rest for everything else. No difference where there is but
    one, or where processes cannot be bound to any."""

    def __init__(self) -> None:
        free = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self.measured = free[:1] if len(free) > 1 else []
        self.others = free[1:]

    @property
    def told(self) -> str:
        return "target on one core, the rest on others" if self.measured else "all on the same core or unbound"

    @contextlib.contextmanager
    def on(self, cores: Sequence[int]) -> Iterator[None]:
        """What is started in the block runs there."""
        if not cores:
            yield
            return
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores)
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)


CORES: Final = Cores()


def variables(**own: str) -> dict[str, str]:
    """The environment of a program: nothing of this terminal's that could steer it, no coverage of tests."""
    return {name: text for name, text in os.environ.items() if name in KEPT} | {"PYTHONPATH": str(ROOT)} | own


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def spawned(
    words: Sequence[str], log: Path, env: dict[str, str], cores: Sequence[int], folder: Path = ROOT
) -> Iterator[subprocess.Popen[bytes]]:
    """The program, in a session of its own; at the end it is asked to go, and made to."""
    with log.open("ab") as said, CORES.on(cores):
        process = subprocess.Popen(
            words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ENDS_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path, within_s: float = READY_S) -> None:
    """Until something answers there, whatever it says.

    :raises NotReady: nothing does, or the program has ended.
    """
    until = time.monotonic() + within_s
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > until:
                raise NotReady(f"nothing answers at {url}:\n{log.read_text(errors='replace')[-3000:]}") from None
            time.sleep(0.1)


def python(*words: str) -> list[str]:
    return [sys.executable, *words]


def family(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def resident(process: psutil.Process) -> int:
    """Bytes of a process and all below it."""
    return sum(one.memory_info().rss for one in family(process))


def worked_s(process: psutil.Process) -> float:
    """Processor time of a process and all below it so far, user and system, in seconds."""
    total = 0.0
    for one in family(process):
        with contextlib.suppress(psutil.Error):
            times = one.cpu_times()
            total += times.user + times.system
    return total

"""An installation that is thrown away: `manage.py up` in a folder of its own, for as long as a block runs."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
READY_S: Final = 120.0
ENDS_S: Final = 40.0
KEPT: Final = ("PATH", "HOME", "LANG", "TMPDIR", "COVERAGE_")
"""Variables that an installation gets from this terminal; what the operator has set for the real one is no business of
this one."""


class NotReady(Exception):
    """The installation did not start; the text has the end of what it said."""


@contextmanager
def installation(home: Path) -> Iterator[int]:
    """The port of an installation in this folder. This process's own variables are made to fit it, for good: Django may
    be set up afterwards, and never before.

    :raises NotReady: it does not start.
    """
    port = free_port()
    fitting = {name: text for name, text in os.environ.items() if name.startswith(KEPT)}
    own = {"BENCHWARMERS_HOME": str(home), "BENCH_PORT": str(port), "BENCH_DETECT_HOSTS": "off", "BENCH_FEEDS": "off"}
    os.environ.clear()
    os.environ.update(fitting | own)
    log = home / "up.log"
    with log.open("wb") as said:
        up = subprocess.Popen(
            [sys.executable, "-m", "benchwarmers.manage", "up"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        _wait(up, port, log)
        yield port
    finally:
        if up.poll() is None:
            up.send_signal(signal.SIGTERM)
        try:
            up.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            up.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(up: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + READY_S
    while not _healthy(port):
        if up.poll() is not None or time.monotonic() > until:
            raise NotReady(f"the installation did not start:\n{log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.2)


def _healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False

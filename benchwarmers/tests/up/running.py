"""Starts a real `manage.py up` in a folder of its own, and watches its processes from outside."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

BUSY = 3
ROOT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(home: Path, port: int, *, measured: bool = True) -> dict[str, str]:
    """The variables of a run; `measured` lets coverage see its processes, which makes them slower and heavier."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if name in {"PATH", "HOME", "LANG", "TMPDIR"} or (measured and name.startswith("COVERAGE_"))
    }
    return kept | {"BENCHWARMERS_HOME": str(home), "BENCH_PORT": str(port), "BENCH_DETECT_HOSTS": "off"}


def command_line(process: psutil.Process) -> str:
    """Its words, or empty when it is gone or only waits to be buried."""
    try:
        return " ".join(process.cmdline()) if process.is_running() else ""
    except psutil.Error:
        return ""


class Running:
    """One `up`, its output so far, and the processes that belong to its home."""

    def __init__(
        self,
        home: Path,
        port: int | None = None,
        *,
        measured: bool = True,
        extra: dict[str, str] | None = None,
        command: Sequence[str] = (sys.executable, "manage.py", "up"),
        folder: Path = ROOT,
    ) -> None:
        self.home = home
        self.port = port or free_port()
        self.lines: list[str] = []
        self.seen: dict[int, psutil.Process] = {}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(home, self.port, measured=measured) | (extra or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2) as answer:
                return bool(answer.status == 200 and answer.read() == b'{"ok": true}')
        except OSError:
            return False

    def wait_until_whole(self) -> float:
        """Wait for web, worker and beat; returns the seconds until the first answer."""
        wait_for(self.is_healthy, 30, self)
        answered = time.monotonic() - self.started
        wait_for(lambda: {"valkey", "web", "worker", "beat"} <= set(self.children()), 15, self)
        wait_for(lambda: "celery.apps.worker" in self.output, 15, self)
        return answered

    def children(self) -> dict[str, psutil.Process]:
        """Name to process, for what runs now."""
        found: dict[str, psutil.Process] = {}
        for process in psutil.Process(self.process.pid).children(recursive=True):
            words = command_line(process)
            self.seen[process.pid] = process
            for name, mark in (
                ("valkey", "valkey.sock"),
                ("web", "benchwarmers.serve"),
                ("worker", "background worker"),
                ("beat", "background beat"),
            ):
                if mark in words:
                    found[name] = process
        return found

    def survivors(self) -> list[str]:
        """Command lines of processes of this run that still live."""
        return [words for process in self.seen.values() if (words := command_line(process))]

    def end(self) -> int:
        """Stop politely; returns the exit code."""
        if self.process.poll() is None:
            self.children()
            self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end; returns the exit code."""
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.reader.join(5)


def wait_for(ready: Callable[[], bool], within_s: float, run: Running | None = None) -> None:
    """Wait until `ready`, or fail with what the run said. `within_s` is meant for an idle machine; a busy one has three
    times as long."""
    until = time.monotonic() + BUSY * within_s
    while not ready():
        said = "" if run is None else run.output
        assert time.monotonic() < until, f"not ready within {within_s} s:\n{said}"
        assert run is None or run.process.poll() is None or ready(), f"ended early:\n{said}"
        time.sleep(0.05)

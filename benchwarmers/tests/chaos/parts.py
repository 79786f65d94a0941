"""One process of the installation, which may be killed, paused and started again, with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from benchwarmers.tests.up.running import ROOT, wait_for


class Part:
    """`answers` says whether it does its work by now. What it writes goes to `<name>.log` in `folder`."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        answers: Callable[[], bool] = lambda: True,
        user: str | None = None,
    ) -> None:
        self.name = name
        self.command = list(command)
        self.log = folder / f"{name}.log"
        self.environment = dict(environment)
        self.answers = answers
        self.user = user
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths: list[float] = []
        """Epoch seconds of every SIGKILL."""

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def lives(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Starts it without waiting."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT if self.user is None else "/",
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
            )

    def start_and_wait(self, within_s: float = 30) -> None:
        """Starts it until it answers, again where it refuses."""

        def is_up() -> bool:
            if not self.lives:
                self.start()
                time.sleep(0.1)
            return self.answers()

        wait_for(is_up, within_s)

    def kill(self) -> None:
        """SIGKILL to it and to all that it has started."""
        self.deaths.append(time.time())
        self._signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait(20)

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def end(self, within_s: float = 20) -> None:
        """Politely, then for certain."""
        if not self.lives:
            return
        assert self.process is not None
        self.resume()
        self.process.send_signal(signal.SIGINT if self.name == "postgres" else signal.SIGTERM)
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self.process.wait(10)

    def words(self) -> str:
        """The end of what it has said."""
        return self.log.read_text("utf-8", "replace")[-3000:] if self.log.exists() else ""

    def _signal(self, number: signal.Signals) -> None:
        """To the process and its children, which may have groups of their own."""
        if not self.lives:
            return
        try:
            family = psutil.Process(self.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            family = []
        for pid in (self.pid, *(child.pid for child in family)):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

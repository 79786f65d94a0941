"""Real stores for these tests: a migrated SQLite file, a Postgres server, a Valkey on a socket."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from pathlib import Path

from benchwarmers.valkey import find_server
from gateway.engine.redirect import redirected
from gateway.tests.engine.databases import migrate

__all__ = ["Valkey", "migrate", "redirected"]


class Valkey:
    """A server of its own that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self._command = [find_server(), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(folder)]
        self._command += ["--save", "", "--daemonize", "no", "--loglevel", "warning"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                if line.recv(16).startswith(b"+PONG"):
                    return
            time.sleep(0.01)
        raise AssertionError("valkey did not start")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

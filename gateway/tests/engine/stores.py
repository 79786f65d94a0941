"""Real stores for these tests: a migrated SQLite file, a Postgres server, a Valkey on a socket."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connections

from benchwarmers.valkey import find_server


@contextlib.contextmanager
def database(**settings: Any) -> Iterator[None]:
    """`default` is another database inside this block, for every thread."""
    old, before = connections["default"], connections.settings["default"]
    connections.settings["default"] = {**before, **settings}
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        connections["default"] = old


def migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    connections["default"].close()


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

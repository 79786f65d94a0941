"""Valkey servers on loopback, in a folder of their own: plain ones, replicas, sentinels, nodes of a cluster."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

import redis

from benchwarmers import valkey
from benchwarmers.tests.up.running import free_port

PASSWORD = "kingfisher"
SERVICE = "bench"
LOST_MS = 300
"""After so long a sentinel takes a primary for lost."""


class Server:
    """One process. With `sentinel_of` it watches that port, with `replica_of` it follows it."""

    def __init__(self, folder: Path, *, replica_of: int = 0, sentinel_of: int = 0, cluster: bool = False) -> None:
        self.port = free_port()
        self.folder = folder / str(self.port)
        self.folder.mkdir()
        lines = [f"port {self.port}", "bind 127.0.0.1", f"dir {self.folder}", 'save ""', "loglevel warning"]
        if sentinel_of:
            lines += [
                f"sentinel monitor {SERVICE} 127.0.0.1 {sentinel_of} 1",
                f"sentinel auth-pass {SERVICE} {PASSWORD}",
                f"sentinel down-after-milliseconds {SERVICE} {LOST_MS}",
                f"sentinel failover-timeout {SERVICE} 5000",
            ]
        elif cluster:
            lines += ["cluster-enabled yes", f"cluster-port {free_port()}"]
        else:
            lines += [f"requirepass {PASSWORD}", f"masterauth {PASSWORD}", "repl-diskless-sync-delay 0"]
            lines += [f"replicaof 127.0.0.1 {replica_of}"] if replica_of else []
        file = self.folder / "valkey.conf"
        file.write_text("\n".join(lines) + "\n")
        command = [valkey.find_server(), str(file), *(["--sentinel"] if sentinel_of else [])]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self._wait()

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        return redis.Redis(port=self.port, password=PASSWORD, decode_responses=True)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def _wait(self) -> None:
        until = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.02)
            else:
                return

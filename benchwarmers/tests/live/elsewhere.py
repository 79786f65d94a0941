"""A web process on another machine: a data folder of its own, nothing shared but the database, Redis and two keys."""

from __future__ import annotations

import http.client
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from benchwarmers.tests.live.route_product import RouteProduct
from benchwarmers.tests.up.running import ROOT, environment, free_port, wait_for


class Elsewhere:
    """`up web` in a folder in which there is nothing."""

    def __init__(self, product: RouteProduct, home: Path) -> None:
        self.home, self.port = home, free_port()
        first = product.run.home
        more = {
            "DATABASE_URL": f"sqlite:///{first / 'benchwarmers.sqlite3'}",
            "REDIS_URL": f"unix://{first / 'valkey.sock'}",
            "BENCHWARMERS_SECRET_KEY": (first / "secret-key").read_text().strip(),
            "BENCHWARMERS_VAULT_KEY": (first / "vault-key").read_text().strip(),
            "BENCH_DRAIN_S": "2",
        }
        command = [sys.executable, "-m", "benchwarmers.up", "web"]
        env = environment(home, self.port) | more
        self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_for(lambda: self.process.poll() is None and self.answers(), 30)

    def answers(self) -> bool:
        try:
            return ask(self.port, "GET", "/health/ready")[0] == 200
        except OSError:
            return False

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(40)


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request(method, path, body, {"content-type": "application/json"})
        answer = line.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

"""A provider of single sign-on beside the tests, and a hand that signs in at it.

It runs in a process of its own, as this module run as a program: its libraries warn of themselves.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Running:
    """Where it is."""

    port: int

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def knows(self, sub: str, **claims: Any) -> None:
        """From now on this is what it says of them."""
        status, _ = self._ask("PUT", f"/users/{quote(sub)}", json.dumps(claims), "application/json")
        assert status == 204

    def sign_in(self, address: str, sub: str) -> str:
        """Sign in at the page that we were sent to; returns where it sends us back to."""
        parts = urlsplit(address)
        assert parts.port == self.port, address
        form = urlencode({"sub": sub})
        status, back = self._ask("POST", f"{parts.path}?{parts.query}", form, "application/x-www-form-urlencoded")
        assert status == 302
        return back

    def _ask(self, method: str, path: str, body: str, kind: str) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request(method, path, body, {"Content-Type": kind})
            answer = line.getresponse()
            answer.read()
            return answer.status, answer.headers.get("Location", "")
        finally:
            line.close()


@contextmanager
def running_provider() -> Iterator[Running]:
    """One that believes every client, as long as the block runs."""
    command = [sys.executable, "-W", "ignore", "-m", __name__]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield Running(int(process.stdout.readline()))
        finally:
            process.terminate()


def serve() -> None:
    """Take a free port, print it, and serve until the end."""
    import oidc_provider_mock
    import werkzeug.serving

    server = werkzeug.serving.make_server("127.0.0.1", 0, oidc_provider_mock.app(), threaded=True)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    serve()

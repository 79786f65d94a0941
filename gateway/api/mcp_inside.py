"""A way to the gateway's routes from inside the server: the same application, asked as the caller that asks us."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import msgspec

from gateway.api.credentials import INSIDE
from gateway.mcp.routes import Answer, Refusal

PASSED_ON: Final = frozenset({b"authorization", b"x-api-key", b"x-goog-api-key", b"host"})
PARTING_S: Final = 5.0
"""How long a route that nobody waits for any more may take to notice."""


class Inside:
    """`app` is the application behind the guard, `scope` that of the request whose caller asks."""

    def __init__(self, app: Any, scope: Any) -> None:
        self._app = app
        self._scope = scope

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """Whoever stops waiting leaves the route like a caller that closes its connection."""
        sent = b"" if body is None else msgspec.json.encode(body)
        headers = [(name, value) for name, value in self._scope["headers"] if name in PASSED_ON]
        headers += [(b"content-type", b"application/json"), (b"content-length", str(len(sent)).encode())]
        scope = {
            **{name: self._scope.get(name) for name in ("asgi", "client", "server", "scheme", "state", "http_version")},
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            INSIDE: True,
        }
        line = _Line(sent)
        work = asyncio.ensure_future(self._app(scope, line.receive, line.send))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            line.left.set()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(work, PARTING_S)
            raise
        if line.status == 0:
            raise Refusal(f"{method} {path} gave no answer.")
        return Answer(line.status, b"".join(line.pieces))


class _Line:
    """The two ends of one exchange with ourselves."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.left = asyncio.Event()
        self.status = 0
        self.pieces: list[bytes] = []

    async def receive(self) -> dict[str, Any]:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.pieces.append(message.get("body", b""))

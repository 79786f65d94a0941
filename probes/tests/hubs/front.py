"""A scripted hub behind a real server on loopback, which lets only its admin key in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from probes.tests.hubs.scripted import Hub

ADMIN = "admin-key-of-the-hub-0123456789"


@contextmanager
def fronting(hub: Hub, key: str = ADMIN) -> Iterator[str]:
    """The address of the hub's root."""

    class Front(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("content-length", 0)))
            brought = self.headers.get("authorization", "")
            if brought != f"Bearer {key}":
                return self.reply(401, {"detail": f"no such key: {brought}"}, {})
            body: Any = json.loads(sent) if sent else None
            reply = asyncio.run(hub.ask(self.command, self.path, body, wait_s=1))
            return self.reply(reply.status, json.loads(reply.body), reply.headers)

        do_GET = do_POST = do_PATCH = answer

        def reply(self, status: int, document: Any, headers: dict[str, str]) -> None:
            data = json.dumps(document).encode()
            self.send_response(status)
            for name, value in {**headers, "content-type": "application/json", "content-length": len(data)}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

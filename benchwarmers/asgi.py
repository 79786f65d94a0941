"""The one ASGI application: who answers which connection, and what is opened and closed with the process.

`/health` answers before Host is looked at; WebSockets need one of our own origins. Decides nothing about a request.
"""

from __future__ import annotations

import logging
import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402 needs the apps
from channels.routing import URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from benchwarmers.pending import load_pending  # noqa: E402

log = logging.getLogger(__name__)


def part(module: str, name: str, otherwise: Any) -> Any:
    """A part of the product, or `otherwise` in a build that does not have it."""
    return getattr(import_module(module), name) if find_spec(module) is not None else otherwise


Bench = part("benchwarmers.bench", "Bench", None)
sockets = OriginValidator(
    AuthMiddlewareStack(URLRouter(part("benchwarmers.live", "websocket_urlpatterns", []))),
    settings.BENCH.allowed_origins,
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer one connection, or hold the lifespan."""
    match scope["type"]:
        case "http":
            await answer_http(scope, receive, send)
        case "websocket":
            await sockets(scope, receive, send)
        case "lifespan":
            await hold_lifespan(receive, send)


async def answer_http(scope: Any, receive: Any, send: Any) -> None:
    """Health, then the gateway's routes, then Django's pages. The gateway's own port has neither health nor pages."""
    server = scope.get("server")
    is_gateway_port = server is not None and server[1] == settings.BENCH.gateway_port
    if not is_gateway_port and scope["path"] == "/health":
        await answer_health(send)
        return
    # The gateway's ASGI callable is mounted here, for both ports.
    if is_gateway_port:
        await answer_nothing(send)
        return
    await pages(scope, receive, send)


async def answer_health(send: Any) -> None:
    """200 while this process serves: the lifespan has found the database migrated."""
    await answer(send, 200, b'{"ok": true}')


async def answer_nothing(send: Any) -> None:
    """404 for what the gateway's own port does not serve."""
    await answer(send, 404, b'{"error": {"message": "There is no such route on this port."}}')


async def answer(send: Any, status: int, body: bytes) -> None:
    """A small JSON answer that no cache keeps."""
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def hold_lifespan(receive: Any, send: Any) -> None:
    """Open what the process shares before the first request, and close it after the last."""
    await receive()
    if (refusal := await sync_to_async(find_refusal)()) is not None:
        log.error("%s", refusal)
        await send({"type": "lifespan.startup.failed", "message": refusal})
        return
    bench = None if Bench is None else await Bench.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    if bench is not None:
        await bench.close()
    await send({"type": "lifespan.shutdown.complete"})


def find_refusal() -> str | None:
    """Why this process must not serve yet, as a sentence."""
    if settings.BENCH.secret_key is None or not settings.BENCH.vault_keys:
        return "There are no secret keys yet; run `manage.py init` once, or start with `manage.py up`."
    if load_pending():
        return "The database has migrations to apply; run `manage.py init`, or start with `manage.py up`."
    return None

"""The one ASGI application: who answers which connection, and what is opened and closed with the process.

Everything passes the guard first. Inference goes to the gateway's own callable, the rest of HTTP to Django, WebSockets
to Channels, except on the gateway's paths and port, which have none. Decides nothing about a request.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable
from random import Random
from typing import Any

from asgiref.sync import sync_to_async

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402 needs the apps
from channels.routing import URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from benchwarmers.around import serve_around  # noqa: E402
from benchwarmers.ask.access import BENCH  # noqa: E402
from benchwarmers.drain import DRAIN  # noqa: E402
from benchwarmers.health import PATHS as HEALTH  # noqa: E402
from benchwarmers.health import Health  # noqa: E402
from benchwarmers.live import websocket_urlpatterns  # noqa: E402
from benchwarmers.oauth.places import described_at  # noqa: E402
from benchwarmers.pending import load_pending  # noqa: E402
from benchwarmers.renewing import Renewing  # noqa: E402
from benchwarmers.stops import Stops, cancel_elsewhere  # noqa: E402
from benchwarmers.version import version  # noqa: E402
from benchwarmers.watch import METRICS, Watch, answer_metrics  # noqa: E402
from collections_app.announce import announce_now  # noqa: E402
from collections_app.redis_client import find_unfit  # noqa: E402
from gateway.api.consumer import Gateway  # noqa: E402
from gateway.api.greeting import is_greeting  # noqa: E402
from gateway.api.guard import policy_for  # noqa: E402
from gateway.api.guarded import Guarded  # noqa: E402
from gateway.api.mcp import Mcp, is_mcp  # noqa: E402
from gateway.api.practice import Practice  # noqa: E402
from gateway.api.routing import find_route  # noqa: E402
from gateway.api.upgrade import refuse_upgrade  # noqa: E402
from gateway.api.zones import plain_path, zone_of  # noqa: E402
from gateway.engine.bench import Bench  # noqa: E402

PRACTICE_PATH = "/practice/"
log = logging.getLogger(__name__)
sockets = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))


class Process:
    """What this web process holds while it serves: its bench, behind the gateway."""

    def __init__(self) -> None:
        self.gateway: Gateway | None = None
        self.health: Health | None = None
        self.watch: Watch | None = None
        self.mcp: Mcp | None = None
        self.rng = Random()  # noqa: S311 it shuffles scripts and numbers requests
        self.practice = Practice(self.rng)

    def __call__(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        """Answer one connection that the guard let in, or hold the lifespan."""
        kind: str = scope["type"]
        match kind:
            case "http":
                return self.answer_http(scope, receive, send)
            case "websocket" if zone_of(scope["path"]).gateway or is_gateway_port(scope):
                return refuse_upgrade(scope, receive, send)
            case "websocket":
                return self.answer_socket(scope, receive, send)
            case _:
                return self.hold_lifespan(receive, send)

    async def answer_socket(self, scope: Any, receive: Any, send: Any) -> None:
        """The pages' own connections."""
        await sockets(scope, receive, send)

    def answer_http(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        """Inference, then health, the practice squad, and Django. The gateway's own port has the gateway's routes
        alone."""
        if self.gateway is None:
            return serve_around(self.answer_others, scope, receive, send, self.rng, None)
        if (route := find_route(scope["path"])) is not None:
            return self.gateway.serve(route, scope, receive, send)
        scope[BENCH] = self.gateway.bench
        return serve_around(self.answer_others, scope, receive, send, self.rng, self.gateway.note)

    async def answer_others(self, scope: Any, receive: Any, send: Any) -> None:
        """Everything that is no inference."""
        path: str = scope["path"]
        zone = zone_of(path)
        if is_greeting(scope["method"], path):
            await answer(send, 200, b"")
        elif is_gateway_port(scope) and not zone.gateway:
            await answer(send, 404, b'{"error": {"message": "There is no such route on this port."}}')
        elif path in HEALTH and self.health is not None:
            await answer(send, *await self.health.answer(path))
        elif path == METRICS and self.watch is not None:
            await answer_metrics(scope, send, settings.BENCH, self.watch)
        elif self.mcp is not None and is_mcp(path):
            await self.mcp(scope, receive, send)
        elif path.startswith(PRACTICE_PATH):
            await self.practice(scope, receive, send)
        elif zone.gateway and "//" in path:
            await pages({**scope, "path": plain_path(path)}, receive, send)
        else:
            await pages(scope, receive, send)

    async def hold_lifespan(self, receive: Any, send: Any) -> None:
        """Open what the process shares before the first request, and close it after the last."""
        await receive()
        if (refusal := await sync_to_async(find_refusal)()) is not None:
            log.error("%s", refusal)
            await send({"type": "lifespan.startup.failed", "message": refusal})
            return
        bench = await Bench.open(settings.BENCH, announce_now)
        watch, renewing = Watch(bench, settings.BENCH), Renewing()
        self.watch = watch
        self.health = Health(bench, DRAIN)
        self.gateway = Gateway(bench, settings.BENCH, watch.note)
        self.mcp = Mcp(
            bench,
            self,
            require_keys=settings.BENCH.require_keys,
            version=version().number,
            tell_others=cancel_elsewhere,
            trusted=settings.BENCH.trusted_proxies,
            described_at=lambda scope: "" if is_gateway_port(scope) else described_at(scope),
            news_s=settings.BENCH.keepalive_s,
        )
        stops = Stops(bench, self.mcp)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await bench.finish(0.0 if DRAIN.quick else DRAIN.left_s)
        await renewing.close()
        await stops.close()
        await bench.close()
        await watch.close()
        await send({"type": "lifespan.shutdown.complete"})


application = Guarded(Process(), policy_for(settings.BENCH.allowed_hosts, settings.BENCH.allowed_origins))


def is_gateway_port(scope: Any) -> bool:
    """Whether the connection came in by the port that has the gateway's routes alone."""
    server = scope.get("server")
    return server is not None and server[1] == settings.BENCH.gateway_port


async def answer(send: Any, status: int, body: bytes) -> None:
    """A small JSON answer that no cache keeps."""
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def find_refusal() -> str | None:
    """Why this process must not serve yet, as a sentence."""
    if settings.BENCH.secret_key is None or not settings.BENCH.vault_keys:
        return "There are no secret keys yet; run `manage.py init` once, or start with `manage.py up`."
    if load_pending():
        return "The database has migrations to apply; run `manage.py init`, or start with `manage.py up`."
    return find_unfit(settings.BENCH.redis_url)

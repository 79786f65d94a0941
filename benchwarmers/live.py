"""Tells open pages that something changed. Sends topics and nothing else; the page asks for the rest as its reader.

Whoever writes sends {"type": "changed", "topics": [...]} (or "topic") to the group `changed`. Bursts are gathered, so
that a browser hears at most five times a second. Never reads what a browser says.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.layers import get_channel_layer
from django.urls import path
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
GROUP = "changed"
GATHER_S = 0.2


class Live(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # untyped base
    """One open page of somebody who is signed in."""

    groups = [GROUP]
    topics: set[str]
    sending: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let people in who are signed in."""
        self.topics = set()
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            await self.close()
            return
        await self.accept()

    async def disconnect(self, code: int) -> None:
        """Forget what was gathered."""
        if self.sending is not None:
            self.sending.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """Pages have nothing to say here."""

    async def changed(self, event: dict[str, Any]) -> None:
        """Note the topics, and tell the page soon."""
        topics = event.get("topics") or [event.get("topic")]
        self.topics.update(topic for topic in topics if isinstance(topic, str) and topic)
        if self.topics and (self.sending is None or self.sending.done()):
            self.sending = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self.topics:
            await asyncio.sleep(GATHER_S)
            topics, self.topics = sorted(self.topics), set()
            for topic in topics:
                await self.send_json({"topic": topic})


websocket_urlpatterns = [path("live/", Live.as_asgi())]


async def announce(topics: list[str]) -> None:
    """Tell every open page of every process. A page that misses it shows the news at its next load."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        await layer.group_send(GROUP, {"type": "changed", "topics": topics})
    except (RedisError, OSError) as error:
        log.warning("open pages could not be told of changes (%s)", error)

"""Tells open pages that something changed. Sends topics and nothing else; the page asks for the rest as its reader.

Whoever writes sends {"type": "changed", "topics": [...]} (or "topic") to the group `changed`. Bursts are gathered, so
that a browser hears at most five times a second. A topic that names something goes only to those who see it. Never
reads what a browser says.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.urls import path

from benchwarmers.hearing import Hearing
from benchwarmers.rights.rule import admits
from benchwarmers.rights.table import SOCKETS

log = logging.getLogger(__name__)
GROUP = "changed"
GATHER_S = 0.2
PATTERN = "live/"
PEOPLE = "people"
"""The topic after which rights may be others."""


class Live(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # untyped base
    """One open page of somebody who is signed in."""

    groups = [GROUP]
    hearing: Hearing
    topics: set[str]
    sending: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let in whom the table of rights lets in."""
        self.topics = set()
        person: Any = self.scope.get("user") or AnonymousUser()
        if not await database_sync_to_async(admits)(SOCKETS[PATTERN], person):
            await self.close()
            return
        self.hearing = Hearing(person)
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
            topics, self.topics = self.topics, set()
            if PEOPLE in topics and not await self._look_again():
                await self.close()
                return
            for topic in await self._heard(topics):
                await self.send_json({"topic": topic})

    async def _heard(self, topics: set[str]) -> list[str]:
        """A thread is asked only where something is named."""
        if not any(":" in topic for topic in topics):
            return sorted(topics)
        heard: list[str] = await database_sync_to_async(self.hearing.among)(topics)
        return heard

    async def _look_again(self) -> bool:
        """Know the person anew; False when they may be here no longer, or when the session is ended."""
        key = getattr(self.scope.get("session"), "session_key", None)
        if key and not await Session.objects.filter(session_key=key).aexists():
            return False
        person = await User.objects.filter(pk=self.hearing.person.pk, is_active=True).afirst()
        if person is None or not await database_sync_to_async(admits)(SOCKETS[PATTERN], person):
            return False
        self.hearing = Hearing(person)
        return True


websocket_urlpatterns = [path(PATTERN, Live.as_asgi())]

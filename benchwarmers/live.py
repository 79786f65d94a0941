"""Tells open pages that something changed. Sends topics and nothing else; the page asks for the rest as its reader.

Whoever writes sends {"type": "changed", "topics": [...]} to the group `changed`. The first news is passed on at once,
as {"topics": [...]}; what follows within GATHER_S is gathered, so that a browser hears at most five times a second. A
topic that names something goes only to those who see it. Never reads what a browser says.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any, ClassVar

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
AT_ONCE_S = 0.01
PATTERN = "live/"
MOST_SOCKETS = 50
"""Of one person, open in one web process: pages in as many tabs."""
TRY_AGAIN = 1013
PEOPLE = "people"
"""The topic after which rights may be others."""


class Live(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # untyped base
    """One open page of somebody who is signed in."""

    groups = [GROUP]
    hearing: Hearing
    topics: set[str]
    told_at: float = -GATHER_S
    sending: asyncio.Task[None] | None = None
    open_by: ClassVar[Counter[int | None]] = Counter()
    counted = False

    async def connect(self) -> None:
        """Let in whom the table of rights lets in."""
        self.topics = set()
        person: Any = self.scope.get("user") or AnonymousUser()
        if not await database_sync_to_async(admits)(SOCKETS[PATTERN], person):
            await self.close()
            return
        if self.open_by[person.pk] >= MOST_SOCKETS:
            await self.close(TRY_AGAIN)
            return
        self.open_by[person.pk] += 1
        self.counted = True
        self.hearing = Hearing(person)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        """Forget what was gathered."""
        if self.counted:
            self.counted = False
            self.open_by[self.hearing.person.pk] -= 1
        if self.sending is not None:
            self.sending.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """Pages have nothing to say here."""

    async def changed(self, event: dict[str, Any]) -> None:
        """Note the topics, and tell the page: at once after a quiet while, else when that while is over."""
        self.topics.update(event["topics"])
        if self.topics and (self.sending is None or self.sending.done()):
            self.sending = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        loop = asyncio.get_running_loop()
        while self.topics:
            # Also at once lets the loop turn: the topics that one commit sends apart are there by then.
            await asyncio.sleep(max(AT_ONCE_S, self.told_at + GATHER_S - loop.time()))
            topics, self.topics, self.told_at = self.topics, set(), loop.time()
            if PEOPLE in topics and not await self._look_again():
                await self.close()
                return
            if heard := await self._heard(topics):
                await self.send_json({"topics": heard})

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

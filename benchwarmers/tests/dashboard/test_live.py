"""The socket of open pages."""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser, User

from benchwarmers.live import GATHER_S, GROUP, Live


class Page:
    """The browser's end of one socket."""

    def __init__(self, person: User | AnonymousUser) -> None:
        scope: dict[str, Any] = {"type": "websocket", "path": "/live/", "subprotocols": [], "user": person}
        self.end: Any = ApplicationCommunicator(Live.as_asgi(), scope)  # type: ignore[no-untyped-call]

    async def connect(self) -> bool:
        await self.end.send_input({"type": "websocket.connect"})
        answer = await self.end.receive_output(1)
        return bool(answer["type"] == "websocket.accept")

    async def hear(self) -> Any:
        return json.loads((await self.end.receive_output(1))["text"])

    async def say(self, text: str) -> None:
        await self.end.send_input({"type": "websocket.receive", "text": text})

    async def hears_nothing(self) -> bool:
        return bool(await self.end.receive_nothing(GATHER_S * 2))

    async def leave(self) -> None:
        await self.end.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.end.wait(1)


async def test_nobody_listens_without_signing_in() -> None:
    assert not await Page(AnonymousUser()).connect()


async def test_a_page_hears_topics_and_nothing_else() -> None:
    page = Page(User(username="ben"))
    assert await page.connect()
    layer = get_channel_layer()
    await layer.group_send(GROUP, {"type": "changed", "topics": ["panels", "panel:p1"], "secret": "no"})
    assert [await page.hear() for _ in range(2)] == [{"topic": "panel:p1"}, {"topic": "panels"}]
    await layer.group_send(GROUP, {"type": "changed", "topic": "catalogue"})
    assert await page.hear() == {"topic": "catalogue"}
    await page.leave()


async def test_a_burst_is_told_once_and_the_last_of_it_is_not_lost() -> None:
    page = Page(User(username="ben"))
    await page.connect()
    layer = get_channel_layer()
    for _ in range(50):
        await layer.group_send(GROUP, {"type": "changed", "topic": "panels"})
    assert await page.hear() == {"topic": "panels"}
    await layer.group_send(GROUP, {"type": "changed", "topic": "late"})
    assert await page.hear() == {"topic": "late"}
    assert await page.hears_nothing()
    await page.leave()


async def test_what_a_page_says_changes_nothing() -> None:
    page = Page(User(username="ben"))
    await page.connect()
    await page.say("not even json")
    assert await page.hears_nothing()
    await page.leave()

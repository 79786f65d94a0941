"""The socket of open pages."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from pytest_django import DjangoAssertNumQueries

from benchwarmers.hearing import Hearing
from benchwarmers.live import GATHER_S, GROUP, Live


class Page:
    """The browser's end of one socket."""

    def __init__(self, person: User | AnonymousUser, session: Any = None) -> None:
        scope: dict[str, Any] = {"type": "websocket", "path": "/live/", "subprotocols": [], "user": person}
        scope["session"] = session
        self.end: Any = ApplicationCommunicator(Live.as_asgi(), scope)  # type: ignore[no-untyped-call]

    async def connect(self) -> bool:
        await self.end.send_input({"type": "websocket.connect"})
        answer = await self.end.receive_output(1)
        return bool(answer["type"] == "websocket.accept")

    async def hear(self) -> Any:
        return json.loads((await self.end.receive_output(5))["text"])

    async def say(self, text: str) -> None:
        await self.end.send_input({"type": "websocket.receive", "text": text})

    async def hears_nothing(self) -> bool:
        return bool(await self.end.receive_nothing(GATHER_S * 2))

    async def leave(self) -> None:
        await self.end.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.end.wait(1)


async def test_nobody_listens_without_signing_in() -> None:
    assert not await Page(AnonymousUser()).connect()


async def test_nobody_has_more_sockets_than_tabs_are_good_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwarmers.live.MOST_SOCKETS", 2)
    ben = User(username="ben", pk=71)
    pages = [Page(ben) for _ in range(3)]
    assert [await page.connect() for page in pages] == [True, True, False]
    assert await Page(User(username="ann", pk=72)).connect()
    await pages[0].leave()
    assert await Page(ben).connect()


async def test_a_page_hears_topics_and_nothing_else() -> None:
    page = Page(User(username="ben"))
    assert await page.connect()
    layer = get_channel_layer()
    await layer.group_send(GROUP, {"type": "changed", "topics": ["panels", "keys"], "secret": "no"})
    assert await page.hear() == {"topics": ["keys", "panels"]}
    await layer.group_send(GROUP, {"type": "changed", "topics": ["catalogue"]})
    assert await page.hear() == {"topics": ["catalogue"]}
    await page.leave()


async def test_a_burst_is_gathered_and_the_last_of_it_is_not_lost() -> None:
    page, loop = Page(User(username="ben")), asyncio.get_running_loop()
    await page.connect()
    layer = get_channel_layer()
    began = loop.time()
    for number in range(50):
        await layer.group_send(GROUP, {"type": "changed", "topics": ["panels", f"number {number}"]})
    heard: list[set[str]] = []
    while not heard or "number 49" not in heard[-1]:
        heard.append(set((await page.hear())["topics"]))
    assert len(heard) <= 1 + (loop.time() - began) / GATHER_S  # at once, and then one in each while
    assert set.union(*heard) == {"panels", *(f"number {number}" for number in range(50))}
    assert await page.hears_nothing()
    await page.leave()


async def test_what_a_page_says_changes_nothing() -> None:
    page = Page(User(username="ben"))
    await page.connect()
    await page.say("not even json")
    assert await page.hears_nothing()
    await page.leave()


# The two below are no coroutines themselves: so the socket's queries run in this thread, in this test's transaction.


def test_what_a_topic_names_is_told_to_those_who_see_it(bens_panel: str) -> None:
    topics = ["panels", f"panel:{bens_panel}", "panel:nothing", "conversation:nothing", "secret:1"]

    async def listen(person: User, heard: list[str]) -> None:
        page = Page(person)
        assert await page.connect()
        await get_channel_layer().group_send(GROUP, {"type": "changed", "topics": topics})
        assert await page.hear() == {"topics": sorted(heard)}
        assert await page.hears_nothing()
        await page.leave()

    for name, heard in (("ben", topics[:2]), ("maya", topics[:2]), ("zoe", topics[:1])):
        async_to_sync(listen)(User.objects.get(username=name), heard)


def test_a_page_of_somebody_who_is_let_go_is_closed_and_a_lost_right_counts_at_once(bens_panel: str) -> None:
    maya, zoe = [User.objects.get(username=name) for name in ("maya", "zoe")]

    async def listen() -> None:
        stays, goes = Page(maya), Page(zoe)
        assert await stays.connect()
        assert await goes.connect()
        await maya.groups.aclear()
        await User.objects.filter(pk=zoe.pk).aupdate(is_active=False)
        await get_channel_layer().group_send(GROUP, {"type": "changed", "topics": ["people", f"panel:{bens_panel}"]})
        assert await stays.hear() == {"topics": ["people"]}
        assert await stays.hears_nothing()
        assert (await goes.end.receive_output(1))["type"] == "websocket.close"
        await stays.leave()

    async_to_sync(listen)()


def test_a_page_of_a_session_that_is_ended_is_closed() -> None:
    zoe, kept, ended = User.objects.get(username="zoe"), SessionStore(), SessionStore()
    kept.create()
    ended.create()

    async def listen() -> None:
        stays, goes = Page(zoe, kept), Page(zoe, ended)
        assert await stays.connect()
        assert await goes.connect()
        await Session.objects.filter(session_key=ended.session_key).adelete()
        await get_channel_layer().group_send(GROUP, {"type": "changed", "topics": ["people"]})
        assert await stays.hear() == {"topics": ["people"]}
        assert (await goes.end.receive_output(1))["type"] == "websocket.close"
        await stays.leave()

    async_to_sync(listen)()


def test_what_is_known_of_a_topic_is_not_asked_again(
    bens_panel: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hearing = Hearing(User.objects.get(username="ben"))
    topics = ["panels", f"panel:{bens_panel}", "panel:nothing"]
    assert hearing.among(topics) == sorted(topics[:2])
    with django_assert_num_queries(0):
        assert hearing.among(topics) == sorted(topics[:2])

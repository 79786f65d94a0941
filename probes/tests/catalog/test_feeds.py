"""Feeds fetched, refused and kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gateway.canon.fault import Unreachable, UpstreamFault
from gateway.engine.fetch import Fetched
from probes.catalog import feeds
from probes.catalog.feeds import fetch, get, is_old
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.shapes import NotTheFeed, read
from probes.catalog.store_feeds import document_of
from probes.models import Feed
from probes.tests.catalog.given import BODIES, PLACES, Net, at_hand, refreshed, told
from probes.tests.jobs.given import NOW, Clock
from probes.tests.listing.servers import serving

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "body"),
    [
        (MODELS_DEV, b"<html>"),
        (MODELS_DEV, b"[]"),
        (MODELS_DEV, b"{}"),
        (MODELS_DEV, b'{"error": "busy"}'),
        (MODELS_DEV, b'{"groq": {"models": {}}}'),
        (MODELS_DEV, b'{"groq": {"models": {"m": {}}}, "error": {"code": 5}}'),
        (MODELS_DEV, BODIES[MODELS_DEV][:-9]),
        (OPENROUTER, b'{"data": []}'),
        (OPENROUTER, b'{"data": [{"name": "x"}]}'),
        (OPENROUTER, b'{"data": "x"}'),
        (FREELLMAPI, b'{"models": [{"platform": "groq"}]}'),
        (FREELLMAPI, b"\xff\xfe"),
    ],
)
def test_what_is_not_the_feed_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(NotTheFeed):
        read(name, body)


@pytest.mark.parametrize(
    "answer",
    [
        Unreachable("no route"),
        Fetched(503, {}, BODIES[MODELS_DEV]),
        Fetched(301, {"location": "https://elsewhere.example"}, b""),
        b'{"error": "busy"}',
    ],
)
def test_a_feed_in_trouble_keeps_the_copy_at_hand(answer: Fetched | UpstreamFault | bytes) -> None:
    at_hand()
    clock = Clock(NOW + timedelta(days=1))
    said = fetch(MODELS_DEV, PLACES[MODELS_DEV], clock, Net({MODELS_DEV: answer}))
    feed = Feed.objects.get(name=MODELS_DEV)
    assert said.startswith("models.dev: ")
    assert said.endswith("the copy at hand stays")
    assert "groq" in document_of(feed)
    assert (feed.fetched_at, feed.tried_at, bool(feed.trouble)) == (NOW, clock.now, True)
    fetch(MODELS_DEV, PLACES[MODELS_DEV], clock, Net())
    feed.refresh_from_db()
    assert (feed.fetched_at, feed.trouble) == (clock.now, "")


def test_a_feed_that_is_too_large_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MOST_BYTES", 100)
    fetch(MODELS_DEV, PLACES[MODELS_DEV], Clock(), Net())
    assert "larger than 100 bytes" in Feed.objects.get(name=MODELS_DEV).trouble


@pytest.mark.parametrize(("hours", "old"), [(0, False), (20, False), (20.1, True)])
def test_a_copy_is_old_after_twenty_hours(hours: float, old: bool) -> None:
    at_hand()
    feed = Feed.objects.get(name=MODELS_DEV)
    assert is_old(feed, NOW + timedelta(hours=hours)) is old
    assert is_old(None, NOW)
    feed.shipped = True
    assert is_old(feed, NOW)


def test_each_feed_degrades_alone_and_the_others_are_used() -> None:
    net = Net(BODIES | {OPENROUTER: Unreachable("no route")})
    job = refreshed(Clock(), net=net, fetch="old")
    assert net.asked == [MODELS_DEV, OPENROUTER, FREELLMAPI]
    assert job.state == "done"
    assert job.note.endswith("1 of 3 feeds in trouble")
    assert "openrouter: no route; the copy at hand stays" in told(job)
    assert Feed.objects.get(name=FREELLMAPI).fetched_at == NOW


def test_a_scheduled_run_fetches_what_is_old_and_a_press_fetches_all() -> None:
    at_hand()
    clock, net = Clock(NOW + timedelta(hours=1)), Net()
    refreshed(clock, net=net, fetch="old")
    assert net.asked == []
    refreshed(clock, net=net, fetch="all")
    assert len(net.asked) == 3


def test_with_feeds_off_nobody_is_asked_not_even_at_a_press(settings: Any) -> None:
    settings.BENCH = replace(settings.BENCH, feeds=False)
    net = Net()
    job = refreshed(Clock(), net=net, fetch="all")
    assert net.asked == []
    assert any("BENCH_FEEDS is off" in line for line in told(job))


def test_a_feed_comes_over_a_real_connection() -> None:
    with serving({"/api.json": BODIES[MODELS_DEV].decode()}) as server:
        assert fetch(MODELS_DEV, f"{server.base}/api.json", Clock(), get).startswith("models.dev: fetched")
        fetch(MODELS_DEV, f"{server.base}/elsewhere", Clock(), get)
    assert Feed.objects.get(name=MODELS_DEV).trouble == "the reply was HTTP 404"

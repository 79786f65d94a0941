"""A panel that nobody waits for: its id comes at once, its seats are followed, and a lost reply is taken up again."""

import http.client
import json
import time
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
HELLO = [{"role": "user", "content": "Hello?"}]


def follow(product: Product, path: str, **headers: str) -> list[tuple[str, Any, float]]:
    """(event, data, seconds until it came) of a stream of events."""
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", product.port, timeout=20)
    line.request("GET", path, headers=headers)
    reply = line.getresponse()
    assert reply.status == 200
    told: list[tuple[str, Any, float]] = []
    name = ""
    for raw in reply:
        text = raw.decode().strip()
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            told.append((name, json.loads(text.removeprefix("data: ")), time.monotonic() - began))
    line.close()
    return told


def test_a_panel_in_the_background_is_followed_seat_by_seat(product: Product) -> None:
    began = time.monotonic()
    status, told = product.post(
        "/v1/chat/completions", {"model": "bench/core", "messages": HELLO, "bench": {"background": True}}
    )
    assert time.monotonic() - began < 1.0
    assert (status, told["state"]) == (202, "running")
    assert product.get(told["url"])[1]["state"] == "running"

    events = follow(product, told["events"])
    names = [name for name, _, _ in events]
    assert names[-1] == "panel"
    assert names.count("seat") == len(events[-1][1]["seats"]) == 5
    quick, late = (
        next(at for name, data, at in events if name == "seat" and data["alias"] == alias)
        for alias in ("quick", "late")
    )
    assert late - quick > 0.3, (quick, late)  # it answers after a second and a half
    assert events[-1][1]["state"] == "done"
    assert all(reason["why"] and reason["until"] for reason in events[-1][1]["plan"])


def test_a_follower_goes_on_where_it_stopped(product: Product) -> None:
    reply = product.ask("core")
    events = follow(product, f"/bench/panels/{reply['bench']['panel']}/events", **{"Last-Event-ID": "4"})
    assert [name for name, _, _ in events] == ["seat", "panel"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/messages", {"max_tokens": 9, "messages": HELLO}),
        ("/v1/responses", {"input": "Hello?"}),
        ("/api/chat", {"messages": HELLO}),
    ],
)
def test_any_format_may_ask_in_the_background(product: Product, path: str, body: dict[str, Any]) -> None:
    status, told = product.post(path, {"model": "bench/fast", "bench": {"background": True}, **body})
    assert (status, told["panel"][0]) == (202, "p")


def test_a_turn_is_not_for_the_background(product: Product) -> None:
    status, told = product.post(
        "/v1/chat/completions", {"model": "bench/fast:route", "messages": HELLO, "bench": {"background": True}}
    )
    assert (status, told["error"]["code"]) == (400, 400)
    assert "Only a panel" in told["error"]["message"]

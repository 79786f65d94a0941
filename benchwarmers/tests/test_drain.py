"""The end of a web process as those in it see it: how long is left, and what a balancer is told."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
import uvicorn

from benchwarmers.drain import Drain
from benchwarmers.handed import Handed
from benchwarmers.health import Health
from benchwarmers.tally import make_tally
from benchwarmers.web_server import ORPHAN_S, QUICK_S, WebServer


def test_an_end_may_come_sooner_and_never_later() -> None:
    drain = Drain()
    assert (drain.begun, drain.left_s) == (False, 0.0)
    drain.begin(1_000.0)
    assert drain.begun
    assert 900 < drain.left_s <= 1_000
    drain.begin(5_000.0)
    assert drain.left_s <= 1_000
    assert not drain.quick
    drain.begin(10.0, quick=True)
    assert drain.left_s <= 10
    drain.begin(0.0)
    assert (drain.left_s, drain.quick) == (0.0, True)


async def test_a_process_that_ends_lives_and_is_not_ready() -> None:
    drain, bench = Drain(), None
    health = Health(bench, drain)  # type: ignore[arg-type]  # it is not asked for
    drain.begin(100.0)
    told: list[Any] = [await health.answer(path) for path in ("/health/live", "/health/ready")]
    assert told == [(200, b'{"ok": true}'), (503, b'{"ok": false, "ending": true}')]


@pytest.mark.parametrize(
    ("words", "orphan", "least", "most"),
    [
        ([signal.SIGTERM], False, QUICK_S + 1, 120),
        ([signal.SIGINT], False, 1, QUICK_S),
        ([signal.SIGTERM, signal.SIGINT], False, 1, QUICK_S),
        ([signal.SIGINT, signal.SIGINT], False, 0, 0),
        ([signal.SIGTERM], True, 0, ORPHAN_S),
    ],
)
def test_how_a_web_process_is_told_to_end_says_how_long_it_has(
    monkeypatch: pytest.MonkeyPatch, words: list[signal.Signals], orphan: bool, least: float, most: float
) -> None:
    drain, descriptor = Drain(), make_tally(1)
    server = WebServer(uvicorn.Config("nowhere:app"), [], drain, 120.0, Handed(0, descriptor, ()))
    if orphan:
        monkeypatch.setattr(os, "getppid", lambda: 1)
    for word in words:
        server.handle_exit(word, None)
    assert server.should_exit
    assert least <= drain.left_s <= most
    os.close(descriptor)

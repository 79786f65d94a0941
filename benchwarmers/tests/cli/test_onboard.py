"""`bench onboard`: the queue is asked, looked after and waited for."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.cli import onboard
from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Scripted

QUEUE = "/api/onboard-queue"


def row(served: str, state: str, **more: Any) -> dict[str, Any]:
    return {"served": served, "endpoint": "door", "mode": "full", "state": state, "alias": "", "note": "", **more}


def told(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ok": True, "running": True, "stopping": False, "items": list(rows), **more}


@pytest.mark.parametrize(
    ("words", "items"),
    [
        (("a", "b"), [{"served": "a", "mode": "full"}, {"served": "b", "mode": "full"}]),
        (("a", "--quick", "--endpoint", "door"), [{"served": "a", "mode": "quick", "endpoint": "door"}]),
        (("a", "--quick", "--ad-hoc"), [{"served": "a", "mode": "quick-adhoc"}]),
    ],
)
def test_models_are_asked_for_in_their_mode(server: Scripted, run: Run, words: tuple[str, ...], items: Any) -> None:
    server.says(f"POST {QUEUE}", told(row("a", "queued")))
    ended = run("onboard", *words)
    assert (ended.exit_code, server.calls) == (0, [(f"POST {QUEUE}", {"items": items})])
    assert ended.stdout.splitlines()[1].split()[:4] == ["a", "door", "full", "queued"]


@pytest.mark.parametrize(
    ("word", "call"), [("status", f"GET {QUEUE}"), ("stop", f"POST {QUEUE}/stop"), ("clear", f"POST {QUEUE}/clear")]
)
def test_the_queue_is_looked_after(server: Scripted, run: Run, word: str, call: str) -> None:
    server.says(call, told(stopping=True))
    ended = run("onboard", word)
    assert [one for one, _ in server.calls] == [call]
    assert ended.stderr == "The queue is empty.\nStopping: what runs goes on to its end.\n"


@pytest.mark.parametrize(("end", "code"), [("done", 0), ("no answer", 1), ("failed", 1), ("skipped", 1)])
def test_waiting_tells_each_change_and_ends_as_the_models_did(
    server: Scripted, run: Run, monkeypatch: pytest.MonkeyPatch, end: str, code: int
) -> None:
    monkeypatch.setattr(onboard, "POLL_S", 0.0)
    other = row("other", "queued")
    server.says(f"POST {QUEUE}", told(row("a", "queued"), other))
    server.says(
        f"GET {QUEUE}",
        told(row("a", "queued"), other),
        told(row("a", "running", step=2), other),
        told(row("a", "running", step=2), other),
        told(row("a", end), other),
    )
    ended = run("onboard", "a", "--wait")
    assert ended.exit_code == code
    news = ["a@door: queued", "a@door: running, step 2 of 5", f"a@door: {end}"]
    assert ended.stderr.splitlines() == news + (["bench: Not taken on: a."] if code else [])


def test_the_queue_is_looked_at_every_five_seconds() -> None:
    assert onboard.POLL_S == 5.0

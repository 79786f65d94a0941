"""A call of the context protocol that its client cancels leaves its panel, wherever it runs: its seats are freed at
once or finish, as the collection says."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from typing import Any

import httpx
import pytest

from benchwarmers.tests.live.keyed import Keyed
from benchwarmers.tests.up.running import ROOT, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]
FREED = "the caller left, and this collection stops its seats then"


def seats(keyed: Keyed, collection: str) -> list[tuple[str, str]]:
    """(status, error) of each seat of the collection's panels."""
    question = (
        "SELECT s.status, s.error FROM gateway_seat s JOIN gateway_panel p ON p.id = s.panel_id"
        " WHERE p.collection_name = ?"
    )
    with closing(sqlite3.connect(keyed.run.home / "benchwarmers.sqlite3")) as database:
        return database.execute(question, (collection,)).fetchall()


def message(method: str, at: Any = None, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params} | ({} if at is None else {"id": at})


def ask(at: int, collection: str) -> dict[str, Any]:
    return message("tools/call", at, name="ask", arguments={"collection": collection, "prompt": "Well?"})


def asked(keyed: Keyed, served: str) -> int:
    return len(keyed.provider.asked.get(served, []))


@pytest.mark.parametrize(
    ("collection", "served", "ends"),
    [("freeing", "waits-60000-asleep", ("error", FREED)), ("finishing", "waits-2500-awake", ("ok", ""))],
)
def test_a_word_to_another_web_process_reaches_the_call(
    keyed: Keyed, leaver: str, collection: str, served: str, ends: tuple[str, str]
) -> None:
    told: list[httpx.Response] = []
    before = len(seats(keyed, collection))
    headers = {"authorization": f"Bearer {leaver}", "accept": "application/json, text/event-stream"}

    def post(place: int, body: Any) -> httpx.Response:
        return httpx.post(f"http://127.0.0.1:{keyed.ports[place]}/mcp", json=body, headers=headers, timeout=40)

    calling = threading.Thread(target=lambda: told.append(post(0, ask(41, collection))), daemon=True)
    seen = asked(keyed, served)
    calling.start()
    wait_for(lambda: asked(keyed, served) > seen, 10, keyed.run)
    assert post(1, message("notifications/cancelled", requestId=41, reason="enough")).status_code == 202
    calling.join(20)
    assert [(one.status_code, one.text) for one in told] == [(200, "")], "the stream ends, without an answer"
    wait_for(lambda: seats(keyed, collection)[before:] == [ends], 10, keyed.run)


def test_over_a_pipe_it_reaches_the_server_likewise(keyed: Keyed, leaver: str) -> None:
    before, seen = len(seats(keyed, "freeing")), asked(keyed, "waits-60000-asleep")
    variables = {"BENCHWARMERS_URL": f"http://127.0.0.1:{keyed.ports[1]}", "BENCHWARMERS_KEY": leaver}
    command = [sys.executable, "-m", "benchwarmers.cli", "mcp"]
    pipe = subprocess.Popen(
        command, cwd=ROOT, env=keyed.environment | variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert pipe.stdin is not None

    def say(body: Any) -> None:
        assert pipe.stdin is not None
        pipe.stdin.write(json.dumps(body).encode() + b"\n")
        pipe.stdin.flush()

    try:
        say(ask(3, "freeing"))
        wait_for(lambda: asked(keyed, "waits-60000-asleep") > seen, 10, keyed.run)
        say(message("notifications/cancelled", requestId=3))
        wait_for(lambda: seats(keyed, "freeing")[before:] == [("error", FREED)], 10, keyed.run)
        say(message("ping", 4))
        said, _ = pipe.communicate(timeout=30)
    finally:
        pipe.kill()
    assert [json.loads(line)["id"] for line in said.splitlines()] == [4], "a cancelled request gets no answer"
    assert pipe.returncode == 0

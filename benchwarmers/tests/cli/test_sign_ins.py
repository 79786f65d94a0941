"""Signing endpoints in from the command line: which page to open, waiting for whoever agrees, and how it ended."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Scripted

BEGUN = {
    "ok": True,
    "id": 12,
    "state": "pending",
    "url": "https://hub.example/device",
    "user_code": "WDJB",
    "interval": 1,
}
DONE = {"ok": True, "id": 12, "state": "done", "endpoint": "hub", "served": 7}
FAILED = {"ok": True, "id": 12, "state": "failed", "trouble": ["The owner refused."]}


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwarmers.cli.sign_ins.time.sleep", lambda seconds: None)


def test_what_can_be_signed_in_to_is_a_table(server: Scripted, run: Run) -> None:
    providers = [
        {"id": "hub", "label": "Hub", "flow": "device", "problem": None},
        {"id": "own", "label": "Own", "flow": "oauth", "problem": "It needs an application."},
    ]
    connected = [{"endpoint": "hub", "provider": "hub"}, {"endpoint": "hub-2", "provider": "hub", "expired": True}]
    server.says("GET /api/connect", {"ok": True, "providers": providers, "connected": connected})
    told = run("sign-ins").stdout
    assert "hub, hub-2 (again, please)" in told
    assert "It needs an application." in told


def test_a_code_is_told_and_waited_for(server: Scripted, run: Run) -> None:
    server.says("POST /api/connect/start", BEGUN)
    server.says("POST /api/connect/poll", BEGUN, {**BEGUN, "state": "exchanging"}, DONE)
    ended = run("sign-in", "start", "hub", "--endpoint", "hub", "--code")
    assert ended.stderr == "Open https://hub.example/device\nand type WDJB there.\n"
    assert ended.stdout == "Signed in: the endpoint hub, which lists 7 models.\n"
    start, *polls = server.calls
    assert start == ("POST /api/connect/start", {"provider": "hub", "endpoint": "hub", "code": True})
    assert polls == [("POST /api/connect/poll", {"id": 12})] * 3


def test_a_refusal_ends_with_1_and_a_look_tells_it_too(server: Scripted, run: Run) -> None:
    server.says("POST /api/connect/start", BEGUN)
    server.says("POST /api/connect/poll", FAILED)
    for words in (("start", "hub"), ("look", "12")):
        ended = run("sign-in", *words)
        assert (ended.exit_code, ended.stdout, ended.stderr.splitlines()[-1]) == (1, "", "bench: The owner refused.")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (BEGUN, "Sign-in 12 waits until somebody agrees.\n"),
        ({**DONE, "served": None}, "Signed in: the endpoint hub.\n"),
    ],
)
def test_nobody_need_wait(server: Scripted, run: Run, told: Any, said: str) -> None:
    server.says("POST /api/connect/start", told)
    assert run("sign-in", "start", "hub", "--no-wait").stdout == said
    assert len(server.asked) == 1


def test_an_application_is_chosen_and_given_back(server: Scripted, run: Run) -> None:
    server.says("POST /api/connect/app", {"ok": True})
    assert run("sign-in", "app", "hub", "Iv23").stdout == "hub uses your own application.\n"
    assert run("sign-in", "app", "hub", "none").stdout == "hub uses no application of your own.\n"
    assert [one.body["client_id"] for one in server.asked] == ["Iv23", ""]

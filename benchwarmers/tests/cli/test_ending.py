"""How a command ends: exit codes, and the sentence that says what to do."""

from __future__ import annotations

from typing import Any

import click
import pytest

from benchwarmers.cli.main import bench
from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Answer, Scripted

STATUS = "GET /api/status"
REFUSED = {"ok": False, "errors": ["alias: There is no such model.", "role: It is one of general, code."]}


@pytest.mark.parametrize(
    ("answer", "words", "code", "told"),
    [
        (Answer({"ok": True, "version": "1.2"}), ("status",), 0, ""),
        (Answer(REFUSED, 400), ("status",), 1, "alias: There is no such model.\nrole: It is one of"),
        (Answer(REFUSED, 404), ("status",), 1, "There is no such model."),
        (Answer(REFUSED, 200), ("status",), 1, "There is no such model."),
        (Answer({"ok": False, "errors": ["No."]}, 401), ("status",), 1, "No. Set BENCHWARMERS_TOKEN"),
        (Answer(b"", 401, "text/plain"), ("status",), 1, "Set BENCHWARMERS_TOKEN"),
        (Answer(b"<h1>404</h1>", 404, "text/html"), ("status",), 1, "server is older than this client"),
        (Answer({"ok": False, "errors": ["There is no route GET /api/status."]}, 404), ("status",), 1, "is older than"),
        (Answer({"detail": "Not found."}, 404), ("status",), 1, "server is older than this client"),
        (Answer(b"<p>Welcome</p>", 200, "text/html"), ("status",), 1, "server is older than this client"),
        (Answer(b"", 302, headers={"Location": "/login"}), ("status",), 1, "server is older than this client"),
        (Answer({}, 200), ("status", "--no-such"), 2, "No such option"),
        (Answer({}, 200), ("stauts",), 2, "Did you mean status?"),
        (Answer({}, 200), ("status", "--url", "ftp://x"), 2, "no address of a server"),
        (Answer({}, 200), ("--url", "http://127.0.0.1:1", "status"), 3, "not running at http://127.0.0.1:1"),
        (Answer({}, 200), ("status", "--url", "http://127.0.0.1:1"), 3, "Start it with `bench up`"),
    ],
)
def test_each_way_of_ending_has_its_code(
    server: Scripted, run: Run, answer: Answer, words: tuple[str, ...], code: int, told: str
) -> None:
    server.says(STATUS, answer)
    ended = run(*words)
    assert (ended.exit_code, told in ended.stderr) == (code, True), ended.stderr


@pytest.mark.parametrize(
    ("path", "answer", "told"),
    [
        ("/v1/chat/completions", Answer({"error": {"message": "No key.", "code": 401}}, 401), "Set BENCHWARMERS_KEY"),
        ("/v1/chat/completions", Answer({"error": {"message": "There is no bench/x."}}, 404), "There is no bench/x."),
        ("/v1/chat/completions", Answer(b"<h1>", 502, "text/html"), "answered with 502 and no JSON"),
    ],
)
def test_a_refusal_of_the_gateway_is_told(server: Scripted, run: Run, path: str, answer: Answer, told: str) -> None:
    server.says(f"POST {path}", answer)
    ended = run("ask", "x", "Hello?")
    assert (ended.exit_code, told in ended.stderr, ended.stdout) == (1, True, "")


def test_an_answer_that_takes_too_long_names_the_variable(server: Scripted, run: Run) -> None:
    server.says(STATUS, Answer({"ok": True}, after_s=5.0))
    ended = run("status", BENCHWARMERS_TIMEOUT="0.5")
    assert ended.exit_code == 1
    assert "No answer within 0.5 s; BENCHWARMERS_TIMEOUT" in ended.stderr
    assert run("status", BENCHWARMERS_TIMEOUT="soon").exit_code == 2


@pytest.mark.parametrize("words", [("--json", "status"), ("status", "--json")])
def test_json_prints_the_reply_unchanged_before_and_after_the_command(
    server: Scripted, run: Run, words: tuple[str, ...]
) -> None:
    body = b'{"ok":true,  "version": "\xc3\xa9"}'
    server.says(STATUS, Answer(body))
    assert run(*words).stdout_bytes == body + b"\n"
    server.says(STATUS, Answer(REFUSED, 400))
    ended = run(*words)
    assert (ended.exit_code, ended.stdout_bytes) == (1, Answer(REFUSED).body + b"\n")


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_the_address_may_end_as_other_clients_write_it(server: Scripted, run: Run, ending: str) -> None:
    server.says(STATUS, {"ok": True})
    assert run("status", "--url", server.url + ending).exit_code == 0


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ({}, None),
        ({"BENCHWARMERS_TOKEN": "bwp_one", "BENCHWARMERS_ADMIN_TOKEN": "two"}, "Bearer bwp_one"),
        ({"BENCHWARMERS_ADMIN_TOKEN": "two"}, "Bearer two"),
        ({"BENCHWARMERS_KEY": "bwk_three"}, None),
    ],
)
def test_what_changes_things_is_asked_with_the_token(
    server: Scripted, run: Run, variables: dict[str, str], sent: str | None
) -> None:
    server.says(STATUS, {"ok": True})
    run("status", **variables)
    assert server.asked[0].headers.get("authorization") == sent


def test_what_asks_is_sent_with_the_key_and_never_with_the_token(server: Scripted, run: Run) -> None:
    server.says("POST /bench/verdict", {"ok": True, "recorded": {"call": "p.member1", "useful": True}})
    run("verdict", "p.member1", "--useful", BENCHWARMERS_KEY="bwk_three", BENCHWARMERS_TOKEN="bwp_one")
    assert server.asked[0].headers["authorization"] == "Bearer bwk_three"


def test_ctrl_c_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any, *args: Any, **extra: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.Command, "invoke", interrupted)
    assert run("status").exit_code == 130


def test_the_version_is_told_and_no_command_is_the_server(run: Run) -> None:
    for word in ("-v", "--version"):
        assert run(word).stdout.startswith("benchwarmers ")
    assert bench.get_command(click.Context(bench), "nothing") is None

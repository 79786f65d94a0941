"""What each command that lists or changes things asks of the server, and what it says."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Answer, Scripted

OK = {"ok": True}
COLLECTIONS = {
    "ok": True,
    "collections": [
        {"name": "core", "members": ["alpha", "beta"], "shape": "review", "reply": "all", "merger": "", "explorers": 2,
         "description": "", "tags": ["x"], "together": {"context_window": 8000, "limits": {}}},
    ],
    "settings": {"max_calls": 5, "max_explorers": 2},
}  # fmt: skip
STATUS = {"ok": True, "scheduler": "log-only", "scheduler_jobs": {"daily": True, "suite": False}}
TRIED = {"listed": True, "models": 7, "key": "unproven"}
DOOR = {"ok": True, "name": "door", "tested": TRIED}

CHANGES: list[tuple[str, dict[str, Any], list[tuple[str, Any]], str]] = [
    (
        "model rename alpha omega",
        {"POST /api/model": OK},
        [("POST /api/model", {"alias": "alpha", "new_alias": "omega"})],
        "alpha is omega now.",
    ),
    (
        "model role alpha code",
        {"POST /api/model": OK},
        [("POST /api/model", {"alias": "alpha", "new_role": "code"})],
        "The role of alpha is code.",
    ),
    (
        "model ad-hoc alpha on",
        {"POST /api/model": OK},
        [("POST /api/model", {"alias": "alpha", "new_ad_hoc": True})],
        "alpha sits only where it is asked for.",
    ),
    (
        "model ad-hoc alpha off",
        {"POST /api/model": OK},
        [("POST /api/model", {"alias": "alpha", "new_ad_hoc": False})],
        "alpha may explore.",
    ),
    (
        "model max-tokens alpha 4096",
        {"POST /api/model-options": OK},
        [("POST /api/model-options", {"alias": "alpha", "max_tokens": 4096})],
        "alpha writes up to 4096 tokens.",
    ),
    (
        "model max-tokens alpha none",
        {"POST /api/model-options": OK},
        [("POST /api/model-options", {"alias": "alpha", "max_tokens": None})],
        "alpha writes as much as it will.",
    ),
    (
        "model retire alpha --reason gone -y",
        {"POST /api/remove": OK},
        [("POST /api/remove", {"alias": "alpha", "reason": "gone"})],
        "alpha is retired.",
    ),
    ("model restore alpha", {"POST /api/restore": OK}, [("POST /api/restore", {"alias": "alpha"})], "alpha is back."),
    ("model retry alpha", {"POST /api/retry": OK}, [("POST /api/retry", {"alias": "alpha"})], "alpha is being asked."),
    (
        "dismiss a/b c --endpoint door",
        {"POST /api/dismiss": OK},
        [("POST /api/dismiss", {"served": ["a/b", "c"], "undo": False, "endpoint": "door"})],
        "a/b, c: put aside.",
    ),
    (
        "dismiss a/b --undo",
        {"POST /api/dismiss": OK},
        [("POST /api/dismiss", {"served": ["a/b"], "undo": True})],
        "a/b: back among the candidates.",
    ),
    (
        "collection save new --members alpha,beta --members gamma --shape code --tags x,y "
        "--description d --merger alpha",
        {"POST /api/collection": {**OK, "members": ["alpha", "beta", "gamma"]}},
        [
            (
                "POST /api/collection",
                {
                    "name": "new",
                    "shape": "code",
                    "description": "d",
                    "merger": "alpha",
                    "tags": ["x", "y"],
                    "members": ["alpha", "beta", "gamma"],
                },
            )
        ],
        "bench/new: alpha, beta, gamma.",
    ),
    (
        "collection save bench/core --add gamma,beta --remove alpha",
        {"GET /api/collections": COLLECTIONS, "POST /api/collection": {**OK, "members": ["beta", "gamma"]}},
        [
            ("GET /api/collections", None),
            ("POST /api/collection", {"name": "core", "members": ["beta", "gamma"]}),
        ],
        "bench/core: beta, gamma.",
    ),
    (
        "collection save core --reply merged",
        {"POST /api/collection": {**OK, "members": ["alpha"]}},
        [("POST /api/collection", {"name": "core", "reply": "merged"})],
        "bench/core: alpha.",
    ),
    (
        "collection rm core -y",
        {"POST /api/collection/remove": OK},
        [("POST /api/collection/remove", {"name": "core"})],
        "bench/core is removed.",
    ),
    (
        "endpoint add door --base http://127.0.0.1:9/v1 --kind local",
        {"POST /api/endpoint": DOOR},
        [
            (
                "POST /api/endpoint",
                {"name": "door", "base": "http://127.0.0.1:9/v1", "new": True, "kind": "local"},
            )
        ],
        "door is added.\nIt lists 7 models. It lists them without a key too, so the key is unproven.",
    ),
    (
        "endpoint test door",
        {"POST /api/endpoint": DOOR},
        [("POST /api/endpoint", {"name": "door", "test": True})],
        "door answers.\nIt lists 7 models. It lists them without a key too, so the key is unproven.",
    ),
    (
        "endpoint rm door --with-models --yes",
        {"POST /api/endpoint/remove": OK},
        [("POST /api/endpoint/remove", {"name": "door", "with_models": True})],
        "door is removed.",
    ),
    (
        "endpoint default door",
        {"POST /api/endpoint/default": OK},
        [("POST /api/endpoint/default", {"name": "door"})],
        "door is the default.",
    ),
    (
        "key revoke laptop -y",
        {"POST /api/gateway-key/remove": OK},
        [("POST /api/gateway-key/remove", {"name": "laptop"})],
        "The key laptop is revoked.",
    ),
    (
        "settings gateway",
        {"GET /api/collections": COLLECTIONS},
        [("GET /api/collections", None)],
        "max calls      5\nmax explorers  2",
    ),
    (
        "settings gateway --max-calls 7",
        {"POST /api/gateway-settings": {**OK, "settings": {"max_calls": 7, "max_explorers": 2}}},
        [("POST /api/gateway-settings", {"max_calls": 7})],
        "max calls      7\nmax explorers  2",
    ),
    (
        "settings client built-in",
        {"POST /api/client": OK},
        [("POST /api/client", {"client": "built-in"})],
        "Models are asked by built-in.",
    ),
    (
        "settings scheduler",
        {"GET /api/status": STATUS},
        [("GET /api/status", None)],
        "scheduler  log-only\ndaily      on\nsuite      off",
    ),
    (
        "settings scheduler run --on suite",
        {"GET /api/status": STATUS, "POST /api/scheduler": OK},
        [
            ("GET /api/status", None),
            ("POST /api/scheduler", {"mode": "run", "jobs": {"daily": True, "suite": True}}),
        ],
        "scheduler  run\ndaily      on\nsuite      on",
    ),
    (
        "settings scheduler --off daily",
        {"GET /api/status": STATUS, "POST /api/scheduler": OK},
        [
            ("GET /api/status", None),
            ("POST /api/scheduler", {"mode": "log-only", "jobs": {"daily": False, "suite": False}}),
        ],
        "scheduler  log-only\ndaily      off\nsuite      off",
    ),
]


@pytest.mark.parametrize(("line", "script", "calls", "said"), CHANGES, ids=[one[0] for one in CHANGES])
def test_a_command_asks_for_what_it_says_and_says_what_was_done(
    server: Scripted, run: Run, line: str, script: dict[str, Any], calls: list[tuple[str, Any]], said: str
) -> None:
    for route, answer in script.items():
        server.says(route, answer)
    ended = run(*line.split())
    assert (ended.exit_code, ended.stdout, server.calls) == (0, f"{said}\n", calls), ended.stderr


@pytest.mark.parametrize(
    "line",
    ["model retire alpha", "collection rm core", "endpoint rm door", "key revoke laptop"],
)
def test_what_cannot_be_taken_back_is_not_done_unasked(server: Scripted, run: Run, line: str) -> None:
    ended = run(*line.split())
    assert (ended.exit_code, server.asked) == (2, [])
    assert "Say -y to do it." in ended.stderr


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("model max-tokens alpha many", 2, "a whole number of tokens, or none"),
        ("model ad-hoc alpha maybe", 2, "'maybe' is not one of 'on', 'off'"),
        ("onboard a --ad-hoc", 2, "--ad-hoc needs --quick"),
        ("endpoint key door", 2, "keys are no arguments"),
        ("settings gateway --max-calls 11", 2, "not in the range"),
        ("collection save core --remove zeta", 1, "Not a member of core: zeta."),
        ("collection show nothing", 1, "There is no collection 'nothing'"),
        ("settings scheduler --on dayly", 1, "There is no job dayly; there are daily, suite."),
    ],
)
def test_what_cannot_be_meant_changes_nothing(server: Scripted, run: Run, line: str, code: int, told: str) -> None:
    server.says("GET /api/collections", COLLECTIONS)
    server.says("GET /api/status", STATUS)
    ended = run(*line.split())
    assert (ended.exit_code, told in ended.stderr) == (code, True), ended.stderr
    assert not [one for one in server.asked if one.method == "POST"]


def test_keys_of_providers_come_by_stdin_alone_and_are_never_shown(server: Scripted, run: Run) -> None:
    server.says("POST /api/endpoint", DOOR)
    ended = run("endpoint", "key", "door", "--key-stdin", "--admin-key-stdin", says="sk-one\nadm-two\n")
    assert server.calls == [("POST /api/endpoint", {"name": "door", "key": "sk-one", "admin": "adm-two"})]
    assert "sk-one" not in ended.output + ended.stderr
    assert run("endpoint", "key", "door", "--key-stdin", says="").exit_code == 2


def test_an_endpoint_that_lists_nothing_fails_its_test_with_the_reason(server: Scripted, run: Run) -> None:
    tested = {"listed": False, "trouble": "It refused the key.", "hint": "Check the key."}
    server.says("POST /api/endpoint", {"ok": True, "name": "door", "tested": tested})
    ended = run("endpoint", "test", "door")
    assert (ended.exit_code, ended.stderr) == (1, "bench: It refused the key. Check the key.\n")


def test_a_new_key_is_alone_on_stdout_and_the_notice_on_stderr(server: Scripted, run: Run) -> None:
    server.says("POST /api/gateway-key", {"ok": True, "name": "ci", "key": "bwk_secret"})
    ended = run("key", "create", "ci", "--collections", "core,fast", "--rpm", "30")
    assert ended.stdout == "bwk_secret\n"
    assert "not shown again" in ended.stderr
    assert "bwk_secret" not in ended.stderr
    assert server.calls == [("POST /api/gateway-key", {"name": "ci", "collections": ["core", "fast"], "rpm": 30})]


def test_a_question_on_a_terminal_is_answered_there(
    server: Scripted, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.says("POST /api/remove", OK)
    monkeypatch.setattr("benchwarmers.cli.base.sees_terminal", lambda: True)
    no = run("model", "retire", "alpha", says="n\n")
    assert (no.exit_code, server.asked, "Nothing was changed." in no.stderr) == (1, [], True)
    assert run("model", "retire", "alpha", says="y\n").exit_code == 0
    assert [one.body for one in server.asked] == [{"alias": "alpha"}]


def test_a_reply_that_asks_for_json_is_not_confirmed_away(server: Scripted, run: Run) -> None:
    server.says("POST /api/collection/remove", Answer(b'{"ok": true,"name":"core"}'))
    assert run("collection", "rm", "core", "-y", "--json").stdout == '{"ok": true,"name":"core"}\n'

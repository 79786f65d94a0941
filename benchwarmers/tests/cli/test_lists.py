"""Lists in a pipe: aligned text, narrowed as asked."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Scripted

MODELS = {
    "ok": True,
    "models": [
        {"alias": "alpha", "served": "vendor/Alpha-1", "role": "code", "endpoint": "door", "connection": "door",
         "status": "healthy", "retired": False},
        {"alias": "beta", "served": "b", "role": "general", "endpoint": "door", "connection": "", "status": "slow",
         "retired": False},
        {"alias": "old", "served": "o", "role": "code", "endpoint": "door", "connection": "door", "status": "retired",
         "retired": True},
    ],
}  # fmt: skip
CANDIDATES = {
    "ok": True,
    "candidates": [
        {"served": "a/one", "endpoint": "door", "group": "a", "new": True, "inputs": ["text", "image"], "outputs": []},
        {"served": "b/two", "endpoint": "gate", "group": "b", "new": False, "inputs": [], "outputs": []},
    ],
    "dismissed": [{"served": "c/three", "endpoint": "door", "group": "c", "new": False}],
    "errors": ["gate: It did not answer."],
}
ENTRY = {"members": ["alpha", "beta"], "explorers": 2, "shape": "review", "reply": "all", "description": "For reviews."}
LISTED = {
    "data": [
        {"id": "bench/core", **ENTRY, "together": {"context_window": 8000}},
        {"id": "bench/core:route", **ENTRY},
        {"id": "gpt-alias", **ENTRY},
    ]
}
ENDPOINTS = {
    "ok": True,
    "endpoints": [
        {"name": "door", "base": "https://d/v1", "kind": "provider", "hub": "", "default": True, "key_set": True,
         "models": 3, "connect": {"label": "until May", "expired": False}},
        {"name": "gate", "base": "https://g", "kind": "hub", "hub": "litellm", "default": False, "key_set": False,
         "models": 0, "connect": None},
    ],
}  # fmt: skip
KEYS = {
    "ok": True,
    "required": False,
    "keys": [
        {"name": "ci", "hint": "wxyz", "collections": [], "rpm": None, "created": "2026-05-01", "last_used": None}
    ],
}
STATUS = {
    "ok": True, "version": "1.2", "folder": None, "keys_required": True, "scheduler": "run",
    "scheduler_jobs": {"daily": True, "suite": False}, "onboarding": {"running": True, "items": 2},
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), ["alpha", "beta"]),
        (("--all",), ["alpha", "beta", "old"]),
        (("--find", "VENDOR"), ["alpha"]),
        (("--role", "code", "--all"), ["alpha", "old"]),
        (("--find", "nothing"), []),
    ],
)
def test_models_are_narrowed(server: Scripted, run: Run, words: tuple[str, ...], names: list[str]) -> None:
    server.says("GET /api/models", MODELS)
    ended = run("models", *words)
    assert [line.split()[0] for line in ended.stdout.splitlines()[1:]] == names
    assert ("No model fits." in ended.stderr) is (names == [])


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), ["a/one", "b/two"]),
        (("--endpoint", "gate"), ["b/two"]),
        (("--find", "ONE"), ["a/one"]),
        (("--new",), ["a/one"]),
        (("--dismissed",), ["c/three"]),
    ],
)
def test_candidates_are_narrowed_and_silent_endpoints_are_told(
    server: Scripted, run: Run, words: tuple[str, ...], names: list[str]
) -> None:
    server.says("GET /api/candidates", CANDIDATES)
    ended = run("candidates", *words)
    assert [line.split()[0] for line in ended.stdout.splitlines()[1:]] == names
    assert ended.stderr == "gate: It did not answer.\n"


@pytest.mark.parametrize(
    ("command", "route", "answer", "lines"),
    [
        (
            "collections",
            "GET /v1/models",
            LISTED,
            [
                "collection  members      explorers  shape   reply  context  description",
                "bench/core  alpha, beta  2          review  all    8000     For reviews.",
            ],
        ),
        (
            "endpoints",
            "GET /api/endpoints",
            ENDPOINTS,
            [
                "name  base          kind      hub      default  key  models  signed in",
                "door  https://d/v1  provider  —        yes      yes  3       until May",
                "gate  https://g     hub       litellm  no       no   0       —",
            ],
        ),
        (
            "keys",
            "GET /api/gateway-keys",
            KEYS,
            [
                "name  ends in  collections  a minute  made        last used",
                "ci    wxyz     all          —         2026-05-01  —",
            ],
        ),
        (
            "status",
            "GET /api/status",
            STATUS,
            [
                "version        1.2",
                "folder         —",
                "keys required  yes",
                "scheduler      run: daily",
                "onboarding     2 models, running",
            ],
        ),
    ],
)
def test_lists_are_aligned_text(
    server: Scripted, run: Run, command: str, route: str, answer: Any, lines: list[str]
) -> None:
    server.says(route, answer)
    ended = run(command)
    assert (ended.exit_code, ended.stdout.splitlines()) == (0, lines)
    assert "\x1b" not in ended.output


def test_one_collection_is_shown_with_what_it_can_do_together(server: Scripted, run: Run) -> None:
    row = {"name": "core", **ENTRY, "together": {"context_window": 8000, "capabilities": ["tools"], "limits": {}}}
    server.says("GET /api/collections", {"ok": True, "collections": [row]})
    shown = run("collection", "show", "bench/core").stdout
    assert "members         alpha, beta" in shown
    assert "context window  8000" in shown
    assert "limits" not in shown


def test_codes_in_the_names_of_others_do_not_reach_the_screen(server: Scripted, run: Run) -> None:
    bad = {**MODELS["models"][0], "served": "x\x1b]0;mine\x07\x1b[2J"}  # type: ignore[index]
    server.says("GET /api/models", {"ok": True, "models": [bad, {**bad, "alias": "b\x1b[1m"}]})
    assert "\x1b" not in run("models").stdout

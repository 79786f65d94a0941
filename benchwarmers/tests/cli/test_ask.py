"""`bench ask` and `bench verdict` in a pipe: what is sent, and what comes out where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Scripted

ASK = "POST /v1/chat/completions"
SEATS = [
    {"call": "p1.member1", "seat": "member", "alias": "alpha", "status": "ok", "seconds": 14.21},
    {"call": "p1.explorer", "seat": "explorer", "alias": "gamma", "status": "error", "seconds": 0.5, "error": "Down."},
]
REPLY = {
    "choices": [{"message": {"content": "Two answers: é"}}],
    "bench": {"panel": "p1", "seats": SEATS, "skipped": [{"alias": "delta", "why": "it is blind"}]},
}
TABLE = """\
call         seat      alias  status  seconds
p1.member1   member    alpha  ok      14.2
p1.explorer  explorer  gamma  error   0.5
not asked: delta (it is blind)
"""


def sent(server: Scripted) -> Any:
    return server.asked[-1].body


def test_the_answer_goes_to_stdout_and_the_seats_to_stderr(server: Scripted, run: Run) -> None:
    server.says(ASK, REPLY)
    ended = run("ask", "core", "Who", "plays?")
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, "Two answers: é\n", TABLE)
    assert sent(server) == {
        "model": "bench/core",
        "messages": [{"role": "user", "content": "Who plays?"}],
        "stream": False,
    }


@pytest.mark.parametrize(
    ("words", "bench"),
    [
        (("--merged",), {"reply": "merged"}),
        (("--all",), {"reply": "all"}),
        (("--with", "alpha", "--with", "beta,gamma"), {"with": ["alpha", "beta", "gamma"]}),
    ],
)
def test_how_to_answer_and_who_sits_is_sent(
    server: Scripted, run: Run, words: tuple[str, ...], bench: dict[str, Any]
) -> None:
    server.says(ASK, REPLY)
    run("ask", "bench/core", "Hello?", *words, "--system", "Be brief.")
    assert sent(server)["bench"] == bench
    assert sent(server)["messages"][0] == {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize(
    ("words", "says", "prompt"),
    [
        ((), "From the pipe.\n", "From the pipe."),
        (("-",), "From the pipe.\n", "From the pipe."),
        (("First:", "-"), "then this\n", "First:\n\nthen this"),
        (("Only this",), "not this\n", "Only this"),
    ],
)
def test_stdin_is_read_where_it_is_meant(
    server: Scripted, run: Run, words: tuple[str, ...], says: str, prompt: str
) -> None:
    server.says(ASK, REPLY)
    run("ask", "core", *words, says=says)
    assert sent(server)["messages"][-1]["content"] == prompt


def test_files_are_appended_in_fences_that_they_do_not_break(server: Scripted, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.md").write_text("````\ncode\n````\n")
    server.says(ASK, REPLY)
    run("ask", "core", "Look:", "-f", str(tmp_path / "a.py"), "--file", str(tmp_path / "b.md"))
    expected = "Look:\n\na.py\n```\nx = 1\n```\n\nb.md\n`````\n````\ncode\n````\n`````"
    assert sent(server)["messages"][-1]["content"] == expected


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("ask", "core"), 2, "The prompt is empty"),
        (("ask", "core", "  "), 2, "The prompt is empty"),
        (("ask", "", "Hello?"), 2, "name of the collection is empty"),
        (("ask", "core", "Hello?", "-f", "/nowhere/at/all"), 1, "/nowhere/at/all cannot be read: No such file"),
        (("verdict", "p1.member1"), 2, "Say --useful or --not-useful"),
    ],
)
def test_what_cannot_be_meant_is_not_sent(
    server: Scripted, run: Run, words: tuple[str, ...], code: int, told: str
) -> None:
    ended = run(*words)
    assert (ended.exit_code, told in ended.stderr, server.asked) == (code, True, [])


def test_a_route_answer_shows_who_gave_it(server: Scripted, run: Run) -> None:
    route = {"reply": "route", "call": "r1.1", "alias": "beta"}
    server.says(ASK, {"choices": [{"message": {"content": "Hi"}}], "bench": route})
    assert run("ask", "core:route", "Hello?").stderr.splitlines()[1].split() == ["r1.1", "route", "beta", "ok", "—"]


def test_a_verdict_is_sent_and_told(server: Scripted, run: Run) -> None:
    recorded = {"call": "p1.member1", "useful": False, "real": ["a", "b"], "false": ["c"]}
    server.says("POST /bench/verdict", {"ok": True, "recorded": recorded})
    words = ("--not-useful", "--note", "so so", "--real", "a", "--real", "b", "--false", "c")
    ended = run("verdict", "p1.member1", *words)
    assert ended.stdout == "Recorded for p1.member1: not useful, 2 real and 1 false claims.\n"
    assert sent(server) == {"call": "p1.member1", "useful": False, "note": "so so", "real": ["a", "b"], "false": ["c"]}

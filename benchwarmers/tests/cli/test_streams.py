"""What streams: a chat in route mode, a panel that is followed, and what a terminal is shown of a question."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchwarmers.cli import live, show
from benchwarmers.cli.sse import Event, events
from benchwarmers.tests.cli import scripted
from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Answer, Scripted

ASK = "POST /v1/chat/completions"
DONE = b"data: [DONE]\n\n"


def stream(*chunks: Any, end: bytes = DONE, panel: str = "") -> Answer:
    body = scripted.events(*(("", chunk) for chunk in chunks), end=end)
    return Answer(body, kind="text/event-stream", headers={"X-Bench-Panel": panel} if panel else {})


def piece(text: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text}}], **more}


def turn(text: str, number: int, **more: Any) -> Answer:
    bench = {"alias": "beta", "turn": number, "call": f"r1.{number}", **more}
    return stream(piece(text[:2]), piece(text[2:]), piece("", bench=bench))


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        (["data: 1", ""], [Event("message", "1")]),
        (["event: seat", "id: 4", "data: a", "data: b", ""], [Event("seat", "a\nb", "4")]),
        ([": beat", "", "data:x", ""], [Event("message", "x")]),
        (["event: lost", "", "data: 1", ""], [Event("message", "1")]),
        (["data: cut"], []),
    ],
)
def test_events_are_read_from_lines(lines: list[str], seen: list[Event]) -> None:
    assert list(events(lines)) == seen


def test_each_line_is_a_turn_and_the_chat_goes_along(server: Scripted, run: Run) -> None:
    server.says(ASK, turn("One.", 1), turn("Two.", 2, failed_over=[{"alias": "alpha", "error": "Down."}]))
    ended = run("route", "core:all", "--system", "Be brief.", says="first\n\nsecond\n")
    assert ended.stdout == "One.\nTwo.\n"
    assert ended.stderr == "beta, turn 1 (r1.1)\nalpha failed: Down.\nbeta, turn 2 (r1.2)\n"
    assert [one.body["model"] for one in server.asked] == ["bench/core:route"] * 2
    assert [one["content"] for one in server.asked[1].body["messages"]] == ["Be brief.", "first", "One.", "second"]


def test_the_last_piece_of_a_turn_is_what_json_shows(server: Scripted, run: Run) -> None:
    server.says(ASK, turn("One.", 1))
    assert json.loads(run("route", "core", "Hi", "--json").stdout)["bench"]["turn"] == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (stream({"error": {"message": "It fell over."}}), "It fell over."),
        (stream(piece("half"), end=b""), "broke off before its end"),
        (Answer(b"data: {\n\n", kind="text/event-stream"), "what stood there is unknown"),
        (Answer({"error": {"message": "Nobody can."}}, 503), "Nobody can."),
    ],
)
def test_a_turn_that_fails_is_told_and_ends_with_1(server: Scripted, run: Run, answer: Answer, told: str) -> None:
    server.says(ASK, answer)
    ended = run("route", "core", "Hi")
    assert (ended.exit_code, told in ended.stderr) == (1, True)


SEAT = {"call": "p1.member1", "seat": "member", "alias": "alpha", "status": "ok", "seconds": 1.5, "answer": "Me."}
DOWN = {"call": "p1.member2", "seat": "member", "alias": "beta", "status": "error", "seconds": 0.1, "error": "No\nkey."}
PANEL = {"panel": "p1", "state": "done", "seats": [SEAT, DOWN]}


def followed(*told: tuple[str, Any]) -> Answer:
    return Answer(scripted.events(*told), kind="text/event-stream")


def test_a_panel_is_followed_line_by_line_in_a_pipe(server: Scripted, run: Run) -> None:
    server.says("GET /bench/panels/p1/events", followed(("seat", DOWN), ("seat", SEAT), ("panel", PANEL)))
    ended = run("watch", "p1", "--answers")
    assert ended.stdout.splitlines() == [
        "p1.member2  beta  error in 0.1 s: No key.", "", "",
        "p1.member1  alpha  ok in 1.5 s", "Me.", "",
    ]  # fmt: skip
    assert ended.stderr.startswith("Panel p1 is done.\ncall ")
    assert [json.loads(one) for one in run("watch", "p1", "--json").stdout.splitlines()] == [DOWN, SEAT, PANEL]


def test_events_that_end_too_early_are_a_failure(server: Scripted, run: Run) -> None:
    server.says("GET /bench/panels/p1/events", followed(("seat", SEAT)))
    ended = run("watch", "p1")
    assert (ended.exit_code, "ended before the panel did" in ended.stderr) == (1, True)


def test_a_terminal_sees_seats_move_and_text_come(server: Scripted, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "is_terminal", lambda stream: True)
    monkeypatch.setattr(live, "LOOK_S", 0.01)
    monkeypatch.setenv("FORCE_COLOR", "1")
    seen = {**PANEL, "seats": [{**SEAT, "status": "asked", "seconds": None}]}
    server.says("GET /bench/panels/p1", Answer(b"", 404), seen)
    last = piece("", bench={"panel": "p1", "seats": [SEAT]})
    answer = stream(piece("One\ntw"), piece("o \x1b[2J\nthree"), last, panel="p1")
    server.says(ASK, answer)
    board_seats = live.Board.seats
    shown: list[Any] = []

    def seats(board: live.Board, rows: list[dict[str, Any]]) -> None:
        shown.append(rows)
        board_seats(board, rows)

    monkeypatch.setattr(live.Board, "seats", seats)
    monkeypatch.setattr(live, "text_of", lambda chunk, text_of=live.text_of: _when(shown, text_of(chunk)))
    ended = run("ask", "core", "Hello?")
    assert ended.exit_code == 0, ended.stderr
    assert server.asked[0].body["stream"] is True
    assert shown[0] == seen["seats"]
    assert "One" in ended.stdout
    assert "two \ufffd[2J" in ended.stdout
    assert "three" in ended.stdout
    assert "p1.member1" in ended.stderr


def _when(shown: list[Any], text: str) -> str:
    """The last text, once the seats were seen: the stream of a test is quicker than any look."""
    import time

    while text.endswith("three") and not shown:
        time.sleep(0.005)
    return text


def test_a_followed_panel_moves_on_a_terminal(server: Scripted, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "is_terminal", lambda stream: True)
    server.says("GET /bench/panels/p1", PANEL)
    server.says("GET /bench/panels/p1/events", followed(("seat", SEAT), ("panel", PANEL)))
    ended = run("watch", "p1", "--answers")
    assert "p1.member1  alpha  ok in 1.5 s" in ended.stdout
    assert "Me." in ended.stdout
    assert "Panel p1 is done." in ended.stderr


def test_colours_are_left_out_where_nobody_wants_them(server: Scripted, run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(show, "is_terminal", lambda stream: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    model = {"alias": "alpha", "served": "[red]a[/red]", "status": "healthy", "retired": False}
    server.says("GET /api/models", {"ok": True, "models": [model]})
    assert "\x1b[32m" in run("models").stdout
    plain = run("models", NO_COLOR="1").stdout
    assert ("\x1b[32m" in plain, "[red]a[/red]" in plain) == (False, True)

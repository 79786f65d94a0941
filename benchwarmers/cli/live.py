"""A panel on a terminal: its text as it comes, and below it the seats as they stand."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from benchwarmers.cli import show
from benchwarmers.cli.base import Failed
from benchwarmers.cli.server import Server, says
from benchwarmers.cli.sse import events

LOOK_S: Final = 0.5
"""Between two looks at how the seats stand."""
SHOWN: Final = ("seat", "alias", "status", "seconds")


def ask_live(server: Server, body: dict[str, Any]) -> dict[str, Any]:
    """Ask, print the text, and give back the bench object at its end."""
    bench: dict[str, Any] = {}
    with (
        server.stream("POST", "/v1/chat/completions", {**body, "stream": True}) as answer,
        Board() as board,
        watched(server, answer.headers.get("x-bench-panel", ""), board),
    ):
        for chunk in chunks(answer.iter_lines()):
            board.write(text_of(chunk))
            bench = chunk.get("bench") or bench
    return bench


def chunks(lines: Any) -> Iterator[dict[str, Any]]:
    """The chunks of a chat stream. Raises Failed for an error in it, and where it ends before its end."""
    for event in events(lines):
        if event.data == "[DONE]":
            return
        try:
            told = event.told
        except msgspec.DecodeError:
            raise Failed("A piece of the answer is no JSON; what stood there is unknown.") from None
        if told.get("error"):
            raise Failed(says(told))
        yield told
    raise Failed("The answer broke off before its end.")


def text_of(chunk: dict[str, Any]) -> str:
    """The text that a chunk brings."""
    choices = chunk.get("choices") or [{}]
    return str((choices[0].get("delta") or {}).get("content") or "")


class Board:
    """Text above, the seats below. Text is shown line by line, since the seats stand under it; where stderr is no
    terminal, as it comes."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._rest = ""
        self._console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        self._live = Live(console=self._console, transient=True, auto_refresh=True, refresh_per_second=4)

    def __enter__(self) -> Board:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._rest:
            self._print(self._rest)

    def write(self, text: str) -> None:
        """More text."""
        whole, newline, self._rest = (self._rest + text).rpartition("\n")
        if newline:
            self._print(whole)

    def seats(self, rows: list[dict[str, Any]]) -> None:
        """How the seats stand now."""
        lines = ([show.cell(row.get(name)) for name in SHOWN] for row in rows)
        self._live.update(show.rich_table(SHOWN, lines), refresh=True)

    def _print(self, text: str) -> None:
        self._console.out(show.harmless(text), highlight=False)


@contextmanager
def watched(server: Server, panel: str, board: Board) -> Iterator[None]:
    """Look at the panel again and again, and keep its seats on the board."""
    over = threading.Event()
    thread = threading.Thread(target=_watch, args=(server, panel, board, over), daemon=True)
    if panel:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if panel:
            thread.join(timeout=2.0)


def _watch(server: Server, panel: str, board: Board, over: threading.Event) -> None:
    while not over.wait(LOOK_S):
        try:
            told = server.get(f"/bench/panels/{panel}").data
        except Failed:  # the row is not there yet, or the line is busy: the answer itself tells of real trouble
            continue
        if isinstance(told, dict) and not over.is_set():
            board.seats(told.get("seats") or [])

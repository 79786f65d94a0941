"""Puts things on the screen: tables for people on a terminal, aligned text in a pipe, the server's own bytes for
--json.

What models and other people wrote may hold codes that a terminal obeys; on a terminal those are shown, not sent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, Final

import click

from benchwarmers.cli.base import setup
from benchwarmers.cli.server import Reply

_CODES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
GAP: Final = "  "


def harmless(text: str) -> str:
    """The text without codes that move, colour or rename a terminal."""
    return _CODES.sub("\ufffd", text.replace("\r\n", "\n"))


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person sees it."""
    return stream.isatty()


def reply(answer: Reply, say: Callable[[Any], None]) -> None:
    """The reply as the command says it, or unchanged for --json."""
    if setup().json:
        raw(answer.body)
    else:
        say(answer.data)


def raw(body: bytes) -> None:
    """Bytes to stdout, with a line's end."""
    click.echo(body, nl=not body.endswith(b"\n"))


def text(words: str) -> None:
    """What models wrote, to stdout."""
    click.echo(harmless(words) if is_terminal(sys.stdout) else words)


def say(sentence: str, *, err: bool = False) -> None:
    """A sentence of ours, which may name things of others."""
    click.echo(harmless(sentence), err=err)


def cell(value: Any) -> str:
    """A value in a table."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    if isinstance(value, dict):
        value = [f"{name} {one}" for name, one in value.items() if one is not None]
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value)) or "—"
    return " ".join(harmless(str(value)).split())


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]], *, err: bool = False, none: str = "None.") -> None:
    """Rows under headings. `none` is said when there are no rows."""
    lines = [[cell(value) for value in row] for row in rows]
    if not lines:
        click.echo(none, err=True)
        return
    stream = sys.stderr if err else sys.stdout
    if is_terminal(stream):
        _rich(stream, headings, lines)
        return
    widths = [max(len(line[at]) for line in [list(headings), *lines]) for at in range(len(headings))]
    for line in [list(headings), *lines]:
        click.echo(GAP.join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip(), err=err)


def _rich(stream: IO[str], headings: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    from rich.console import Console

    Console(file=stream, highlight=False).print(rich_table(headings, lines))


def rich_table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> Any:
    """The table as rich draws it; its cells are plain text."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for heading in headings:
        drawn.add_column(heading, overflow="fold")
    for line in lines:
        drawn.add_row(*(Text(word, style=STYLES.get(word, "")) for word in line))
    return drawn


STYLES: Final = {
    **dict.fromkeys(("ok", "healthy", "done"), "green"),
    **dict.fromkeys(("error", "failed", "not served", "retired"), "red"),
    **dict.fromkeys(("empty", "no answer", "throttled", "slow", "untested", "running", "asked", "waiting"), "yellow"),
}
"""How the words for states look; the words say it themselves."""


def facts(pairs: Iterable[tuple[str, Any]]) -> None:
    """Names with their values, a line each."""
    kept = [(name, cell(value)) for name, value in pairs]
    width = max((len(name) for name, _ in kept), default=0)
    for name, value in kept:
        click.echo(f"{name.ljust(width)}{GAP}{value}")

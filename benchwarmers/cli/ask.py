"""`bench ask`: one question to a panel; the answer to stdout, the seats to stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, setup, split
from benchwarmers.cli.question import model_name, read_prompt
from benchwarmers.cli.server import Server

PATH: Final = "/v1/chat/completions"
HEADINGS: Final = ("call", "seat", "alias", "status", "seconds")


@click.command(
    "ask",
    cls=Command,
    examples=(
        'bench ask core "What is wrong with this plan?" -f plan.md',
        "git diff | bench ask reviewers --merged 'Review this change:' -",
        'bench ask core "Who is right?" --with deepthinker --json',
    ),
)
@click.argument("collection")
@click.argument("prompt", nargs=-1)
@click.option("-f", "--file", "files", multiple=True, metavar="FILE", help="Append this file. May be given again.")
@click.option("--system", default="", help="What every seat is told before the question.")
@click.option("--merged", "reply", flag_value="merged", help="One merged answer.")
@click.option("--all", "reply", flag_value="all", help="Every answer, each under its seat.")
@click.option("--with", "seated", multiple=True, metavar="ALIAS", help="Seat this model too. May be given again.")
def ask(
    collection: str, prompt: tuple[str, ...], files: tuple[str, ...], system: str, reply: str, seated: tuple[str, ...]
) -> None:
    """Ask a collection, and print what its panel says.

    PROMPT may be - or come through a pipe. The table of seats, with the call ids for `bench verdict`, goes to stderr.
    On a terminal the seats are shown as they finish.
    """
    body = _body(model_name(collection), read_prompt(prompt, files), system, reply, split(seated))
    server = Server()
    if setup().json or not show.is_terminal(sys.stdout):
        show.reply(server.post(PATH, body), _say)
        return
    from benchwarmers.cli.live import ask_live

    tell_seats(ask_live(server, body))


def _body(model: str, prompt: str, system: str, reply: str | None, seated: list[str]) -> dict[str, Any]:
    messages = [{"role": "user", "content": prompt}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    bench = {name: value for name, value in (("reply", reply), ("with", seated)) if value}
    return {"model": model, "messages": messages, "stream": False} | ({"bench": bench} if bench else {})


def _say(told: Any) -> None:
    choices = told.get("choices") if isinstance(told, dict) else None
    if not choices:
        raise Failed("The answer holds no choice. Is the address that of a Benchwarmers server?")
    show.text((choices[0].get("message") or {}).get("content") or "")
    tell_seats(told.get("bench") or {})


def tell_seats(bench: dict[str, Any]) -> None:
    """The table of who sat, to stderr, and what there is to know about it."""
    show.table(HEADINGS, _rows(bench), err=True, none="Nobody sat.")
    for one in bench.get("skipped") or []:
        show.say(f"not asked: {one.get('alias')} ({one.get('why')})", err=True)
    if bench.get("note"):
        show.say(str(bench["note"]), err=True)


def _rows(bench: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    if bench.get("reply") == "route":
        yield bench.get("call"), "route", bench.get("alias"), "ok", None
    for seat in [*(bench.get("seats") or []), *([bench["merger"]] if bench.get("merger") else [])]:
        yield tuple(seat.get(name) for name in HEADINGS)


COMMANDS: Final = {"ask": ask}

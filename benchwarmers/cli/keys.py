"""`bench keys` and `bench key`: the keys that callers of the gateway bring."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, Group, confirm, split, yes_option
from benchwarmers.cli.server import Server

HEADINGS: Final = ("name", "ends in", "collections", "a minute", "made", "last used")


@click.command("keys", cls=Command, examples=("bench keys", "bench keys --json"))
def keys() -> None:
    """List the gateway keys. The keys themselves are kept nowhere."""

    def say(told: Any) -> None:
        show.table(HEADINGS, map(_line, told.get("keys") or []), none="There is no key yet.")
        if told.get("required") is False:
            show.say("Callers on this machine need no key.", err=True)

    show.reply(Server().get("/api/gateway-keys"), say)


def _line(row: dict[str, Any]) -> list[Any]:
    fields = (row.get(name) for name in ("rpm", "created", "last_used"))
    return [row.get("name"), row.get("hint"), row.get("collections") or "all", *fields]


@click.group("key", cls=Group)
def key() -> None:
    """Make or revoke a gateway key."""


@key.command("create", examples=("bench key create laptop", "bench key create ci --collections core,fast --rpm 30"))
@click.argument("name")
@click.option("--collections", multiple=True, metavar="NAMES", help="What it may ask, parted by commas; else all.")
@click.option("--rpm", type=click.IntRange(1, 10_000), help="Requests a minute.")
def create(name: str, collections: tuple[str, ...], rpm: int | None) -> None:
    """Make a key. It is printed once, alone on stdout, and never again."""
    given = {field: value for field, value in (("collections", split(collections)), ("rpm", rpm)) if value}
    show.reply(Server().post("/api/gateway-key", {"name": name, **given}), lambda told: _hand_over(told, name))


def _hand_over(told: Any, name: str) -> None:
    if not told.get("key"):
        raise Failed(f"The server made {name} and did not tell its key; revoke it and make another.")
    click.echo(told["key"])
    show.say(f"This is the key {name}. Keep it now: it is not shown again.", err=True)


@key.command("revoke", examples=("bench key revoke laptop -y",))
@click.argument("name")
@yes_option
def revoke(name: str, yes: bool) -> None:
    """Revoke a key; the next request with it is refused."""
    confirm(f"Revoke the key {name}?", yes)
    answer = Server().post("/api/gateway-key/remove", {"name": name})
    show.reply(answer, lambda told: show.say(f"The key {name} is revoked."))


COMMANDS: Final = {"keys": keys, "key": key}

"""`bench candidates` and `bench dismiss`: what could be taken on, and what is put aside."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command
from benchwarmers.cli.server import Server

HEADINGS: Final = ("served", "endpoint", "group", "new", "in", "out")


@click.command(
    "candidates",
    cls=Command,
    examples=(
        "bench candidates --new",
        "bench candidates --endpoint openrouter --find coder",
    ),
)
@click.option("--endpoint", default="", help="Only those of this endpoint.")
@click.option("--find", default="", metavar="TEXT", help="Only those whose name or group holds this.")
@click.option("--new", is_flag=True, help="Only those that the last daily check had not seen.")
@click.option("--dismissed", is_flag=True, help="Those that were put aside, instead.")
def candidates(endpoint: str, find: str, new: bool, dismissed: bool) -> None:
    """List what the endpoints serve and the bench has not taken on."""

    def fits(row: dict[str, Any]) -> bool:
        named = find.lower() in f"{row.get('served')}\n{row.get('group')}".lower()
        return named and endpoint in ("", row.get("endpoint")) and (not new or bool(row.get("new")))

    def say(told: Any) -> None:
        rows = [row for row in told.get("dismissed" if dismissed else "candidates") or [] if fits(row)]
        show.table(HEADINGS, map(_line, rows), none="No candidate fits.")
        for error in told.get("errors") or []:
            show.say(str(error), err=True)

    show.reply(Server().get("/api/candidates"), say)


def _line(row: dict[str, Any]) -> list[Any]:
    return [row.get(name) for name in ("served", "endpoint", "group", "new", "inputs", "outputs")]


@click.command(
    "dismiss",
    cls=Command,
    examples=("bench dismiss some/model other/model@openrouter", "bench dismiss some/model --undo"),
)
@click.argument("served", nargs=-1, required=True)
@click.option("--endpoint", default="", help="Where they are served; else the default endpoint.")
@click.option("--undo", is_flag=True, help="Bring these back.")
def dismiss(served: tuple[str, ...], endpoint: str, undo: bool) -> None:
    """Put candidates aside, so that they are listed no more."""
    body: dict[str, Any] = {"served": list(served), "undo": undo} | ({"endpoint": endpoint} if endpoint else {})
    done = "back among the candidates" if undo else "put aside"
    show.reply(Server().post("/api/dismiss", body), lambda told: show.say(f"{', '.join(served)}: {done}."))


COMMANDS: Final = {"candidates": candidates, "dismiss": dismiss}

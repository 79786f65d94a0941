"""`bench collections` and `bench collection`: who is asked by which name."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, Group, confirm, split, yes_option
from benchwarmers.cli.server import Reply, Server

PREFIX: Final = "bench/"
FIELDS: Final = ("members", "shape", "description", "tags", "reply", "merger")
HEADINGS: Final = ("collection", "members", "explorers", "shape", "reply", "context", "description")


@click.command("collections", cls=Command, examples=("bench collections", "bench collections --json"))
def collections() -> None:
    """List the collections that your key may ask."""
    show.reply(Server().get("/v1/models"), _say_all)


def _say_all(told: Any) -> None:
    base = [row for row in told.get("data") or [] if row["id"].startswith(PREFIX) and ":" not in row["id"]]
    show.table(HEADINGS, map(_line, base), none="There is no collection that you may ask.")


def _line(row: dict[str, Any]) -> list[Any]:
    context = (row.get("together") or {}).get("context_window")
    fields = (row.get(name) for name in ("id", "members", "explorers", "shape", "reply"))
    return [*fields, context, row.get("description")]


@click.group("collection", cls=Group)
def collection() -> None:
    """Show, change or remove one collection."""


@collection.command("show", examples=("bench collection show core",))
@click.argument("name")
def show_one(name: str) -> None:
    """Show a collection with its members and what they can do together."""
    server = Server()
    answer = server.get("/api/collections")
    row = _find(answer, name)
    if row is None:
        raise Failed(_none(name))

    pairs = [(field, row.get(field)) for field in ("name", *FIELDS, "explorers")]
    together = (row.get("together") or {}).items()
    pairs += [(field.replace("_", " "), value) for field, value in together if value not in ({}, [])]
    show.reply(answer, lambda told: show.facts(pairs))


@collection.command(
    "save",
    examples=(
        "bench collection save reviewers --members alpha,beta --shape review --reply merged",
        "bench collection save reviewers --add gamma --remove alpha",
    ),
)
@click.argument("name")
@click.option("--members", multiple=True, metavar="ALIASES", help="All members, parted by commas.")
@click.option("--add", multiple=True, metavar="ALIASES", help="Further members.")
@click.option("--remove", multiple=True, metavar="ALIASES", help="Members that leave.")
@click.option("--shape", help="The kind of work, such as review or code.")
@click.option("--description", help="What it is for.")
@click.option("--tags", multiple=True, help="All tags, parted by commas.")
@click.option("--reply", type=click.Choice(["all", "merged", "route"]), help="How it answers.")
@click.option("--merger", metavar="ALIAS", help="Who merges the answers.")
def save(
    name: str,
    members: tuple[str, ...],
    add: tuple[str, ...],
    remove: tuple[str, ...],
    tags: tuple[str, ...],
    **said: Any,
) -> None:
    """Make a collection, or change one; what is not named keeps its value."""
    server = Server()
    body = {field: value for field, value in said.items() if value is not None}
    if tags:
        body["tags"] = split(tags)
    if members or add or remove:
        body["members"] = _seated(server, name, members, split(add), split(remove))
    answer = server.post("/api/collection", {"name": _bare(name), **body})
    show.reply(answer, lambda told: show.say(f"{PREFIX}{_bare(name)}: {', '.join(told.get('members') or [])}."))


def _seated(server: Server, name: str, members: tuple[str, ...], add: list[str], gone: list[str]) -> list[str]:
    """All members that are wanted. Raises Failed where one is to leave that is none."""
    row = {} if members else _find(server.get("/api/collections"), name) or {}
    seated = split(members) or list(row.get("members") or [])
    strangers = [alias for alias in gone if alias not in seated]
    if strangers:
        raise Failed(f"Not a member of {_bare(name)}: {', '.join(strangers)}.")
    return [alias for alias in dict.fromkeys([*seated, *add]) if alias not in gone]


@collection.command("rm", examples=("bench collection rm reviewers -y",))
@click.argument("name")
@yes_option
def remove(name: str, yes: bool) -> None:
    """Remove a collection. Its panels and verdicts stay."""
    confirm(f"Remove {PREFIX}{_bare(name)}?", yes)
    answer = Server().post("/api/collection/remove", {"name": _bare(name)})
    show.reply(answer, lambda told: show.say(f"{PREFIX}{_bare(name)} is removed."))


def _find(answer: Reply, name: str) -> dict[str, Any] | None:
    return next((row for row in answer.data.get("collections") or [] if _bare(row["name"]) == _bare(name)), None)


def _bare(name: str) -> str:
    return name.removeprefix(PREFIX)


def _none(name: str) -> str:
    return f"There is no collection {_bare(name)!r}; `bench collections` lists those that there are."


COMMANDS: Final = {"collections": collections, "collection": collection}

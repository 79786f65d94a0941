"""`bench models` and `bench model`: who is on the bench, and what becomes of one of them."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Group, confirm, yes_option
from benchwarmers.cli.server import Server

HEADINGS: Final = ("alias", "served", "role", "endpoint", "connection", "status")


@click.command(
    "models", cls=Command, examples=("bench models", "bench models --role code --find qwen", "bench models --all")
)
@click.option("--all", "with_retired", is_flag=True, help="Retired models too.")
@click.option("--find", default="", metavar="TEXT", help="Only those whose alias or served name holds this.")
@click.option("--role", default="", help="Only those of this role.")
def models(with_retired: bool, find: str, role: str) -> None:
    """List the models on the bench."""

    def fits(row: dict[str, Any]) -> bool:
        named = find.lower() in f"{row.get('alias')}\n{row.get('served')}".lower()
        return named and (with_retired or not row.get("retired")) and role in ("", row.get("role"))

    def say(told: Any) -> None:
        rows = [row for row in told.get("models") or [] if fits(row)]
        show.table(HEADINGS, ([row.get(name) for name in HEADINGS] for row in rows), none="No model fits.")

    show.reply(Server().get("/api/models"), say)


@click.group("model", cls=Group)
def model() -> None:
    """Change one model."""


def change(path: str, sentence: str, **body: Any) -> None:
    """Post, and say what was done."""
    show.reply(Server().post(path, body), lambda told: show.say(sentence))


@model.command("rename", examples=("bench model rename qwen3-coder-480b coder",))
@click.argument("alias")
@click.argument("new")
def rename(alias: str, new: str) -> None:
    """Give a model another alias; its evidence stays with it."""
    change("/api/model", f"{alias} is {new} now.", alias=alias, new_alias=new)


@model.command("role", examples=("bench model role coder code",))
@click.argument("alias")
@click.argument("role")
def set_role(alias: str, role: str) -> None:
    """Say what a model is for: general, code, light, vision or image."""
    change("/api/model", f"The role of {alias} is {role}.", alias=alias, new_role=role)


@model.command("ad-hoc", examples=("bench model ad-hoc coder on",))
@click.argument("alias")
@click.argument("switch", metavar="on|off", type=click.Choice(["on", "off"]))
def ad_hoc(alias: str, switch: str) -> None:
    """Keep a model from exploring and from scheduled suites, or let it in again."""
    is_on = switch == "on"
    sentence = f"{alias} sits only where it is asked for." if is_on else f"{alias} may explore."
    change("/api/model", sentence, alias=alias, new_ad_hoc=is_on)


@model.command("max-tokens", examples=("bench model max-tokens coder 8192", "bench model max-tokens coder none"))
@click.argument("alias")
@click.argument("tokens", metavar="N|none")
def max_tokens(alias: str, tokens: str) -> None:
    """Bound what a model may write in one answer, or unbound it."""
    if tokens != "none" and not tokens.isdecimal():
        raise click.UsageError("Say a whole number of tokens, or none.")
    bound = None if tokens == "none" else int(tokens)
    sentence = f"{alias} writes up to {tokens} tokens." if bound else f"{alias} writes as much as it will."
    change("/api/model-options", sentence, alias=alias, max_tokens=bound)


@model.command("retire", examples=('bench model retire coder --reason "gone since May" -y',))
@click.argument("alias")
@click.option("--reason", default="", help="Why, for the log.")
@yes_option
def retire(alias: str, reason: str, yes: bool) -> None:
    """Take a model off the bench. `bench model restore` brings it back."""
    confirm(f"Retire {alias}? It leaves its collections.", yes)
    change("/api/remove", f"{alias} is retired.", alias=alias, **({"reason": reason} if reason else {}))


@model.command("restore", examples=("bench model restore coder",))
@click.argument("alias")
def restore(alias: str) -> None:
    """Bring a retired model back, into the collections that have room for it."""
    change("/api/restore", f"{alias} is back.", alias=alias)


@model.command("retry", examples=("bench model retry coder",))
@click.argument("alias")
def retry(alias: str) -> None:
    """Ask a model once, now, to see whether it answers again."""
    change("/api/retry", f"{alias} is being asked.", alias=alias)


COMMANDS: Final = {"models": models, "model": model}

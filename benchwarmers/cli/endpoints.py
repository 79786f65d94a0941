"""`bench endpoints` and `bench endpoint`: where models are served."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, Group, confirm, read_secret, yes_option
from benchwarmers.cli.server import Server

HEADINGS: Final = ("name", "base", "kind", "hub", "default", "key", "models", "signed in")


@click.command("endpoints", cls=Command, examples=("bench endpoints", "bench endpoints --json"))
def endpoints() -> None:
    """List the endpoints. Whether a key is set is told; the key never."""

    def say(told: Any) -> None:
        show.table(HEADINGS, map(_line, told.get("endpoints") or []), none="There is no endpoint yet.")

    show.reply(Server().get("/api/endpoints"), say)


def _line(row: dict[str, Any]) -> list[Any]:
    connect = row.get("connect") or {}
    signed_in = "again, please" if connect.get("expired") else connect.get("label")
    fields = [row.get(name) for name in ("name", "base", "kind", "hub", "default", "key_set", "models")]
    return [*fields, signed_in]


@click.group("endpoint", cls=Group)
def endpoint() -> None:
    """Add, test, change or remove one endpoint."""


key_option = click.option("--key-stdin", is_flag=True, help="Read its key from stdin; on a terminal it is asked for.")
admin_option = click.option("--admin-key-stdin", is_flag=True, help="Read a hub's admin key from stdin, a line more.")


def _keys(key_stdin: bool, admin_key_stdin: bool) -> dict[str, str]:
    told = {}
    if key_stdin:
        told["key"] = read_secret("Key")
    if admin_key_stdin:
        told["admin"] = read_secret("Admin key")
    return told


@endpoint.command(
    "add",
    examples=(
        "bench endpoint add openrouter --base https://openrouter.ai/api/v1 --key-stdin < key.txt",
        "bench endpoint add ollama --base http://127.0.0.1:11434 --kind local --api ollama",
    ),
)
@click.argument("name")
@click.option("--base", required=True, metavar="URL", help="The address below which its API is.")
@click.option("--kind", default="", help="provider, aggregator, hub or local.")
@click.option("--hub", default="", help="For a hub, which: openwebui, litellm, cliproxyapi.")
@click.option("--api", default="", help="The protocol it speaks: chat, responses, anthropic, gemini, ollama.")
@key_option
@admin_option
def add(name: str, base: str, kind: str, hub: str, api: str, key_stdin: bool, admin_key_stdin: bool) -> None:
    """Add an endpoint; it is asked for its models first."""
    given = {field: value for field, value in (("kind", kind), ("hub", hub), ("api", api)) if value}
    body = {"name": name, "base": base, "new": True, **given, **_keys(key_stdin, admin_key_stdin)}
    show.reply(Server().post("/api/endpoint", body), lambda told: _say(told, f"{name} is added."))


@endpoint.command("test", examples=("bench endpoint test openrouter",))
@click.argument("name")
def test(name: str) -> None:
    """Ask an endpoint for its models, as it is set up now. Changes nothing."""
    show.reply(Server().post("/api/endpoint", {"name": name, "test": True}), _say_tested)


@endpoint.command("key", examples=("bench endpoint key openrouter --key-stdin < key.txt",))
@click.argument("name")
@key_option
@admin_option
def key(name: str, key_stdin: bool, admin_key_stdin: bool) -> None:
    """Change the key of an endpoint."""
    keys = _keys(key_stdin, admin_key_stdin)
    if not keys:
        raise click.UsageError("Say --key-stdin, and bring the key by stdin: keys are no arguments.")
    show.reply(
        Server().post("/api/endpoint", {"name": name, **keys}), lambda told: _say(told, f"{name} has its new key.")
    )


@endpoint.command("rm", examples=("bench endpoint rm openrouter --with-models -y",))
@click.argument("name")
@click.option("--with-models", is_flag=True, help="Retire its models first; else it must have none.")
@yes_option
def remove(name: str, with_models: bool, yes: bool) -> None:
    """Remove an endpoint."""
    confirm(f"Remove {name}{' and retire its models' if with_models else ''}?", yes)
    answer = Server().post("/api/endpoint/remove", {"name": name, "with_models": with_models})
    show.reply(answer, lambda told: _say(told, f"{name} is removed."))


@endpoint.command("default", examples=("bench endpoint default openrouter",))
@click.argument("name")
def default(name: str) -> None:
    """Make an endpoint the one that is meant where none is named."""
    show.reply(
        Server().post("/api/endpoint/default", {"name": name}), lambda told: _say(told, f"{name} is the default.")
    )


def _say_tested(told: Any) -> None:
    """Raises Failed where it lists nothing."""
    tested = told.get("tested") or {}
    if not tested.get("listed"):
        words = (tested.get(name) for name in ("trouble", "hint"))
        raise Failed(" ".join(word for word in words if word) or f"{told.get('name')} lists no models.")
    _say(told, f"{told.get('name')} answers.")


def _say(told: Any, sentence: str) -> None:
    show.say(sentence)
    tested = told.get("tested") or {}
    if tested.get("listed"):
        show.say(f"It lists {tested.get('models')} models.{KEY_WORDS.get(str(tested.get('key')), '')}")


KEY_WORDS: Final = {"unproven": " It lists them without a key too, so the key is unproven."}


COMMANDS: Final = {"endpoints": endpoints, "endpoint": endpoint}

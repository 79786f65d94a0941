"""`bench route`: a chat with a collection, one model at a time, with who answered each turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, Unreachable, setup
from benchwarmers.cli.live import chunks, text_of
from benchwarmers.cli.question import model_name
from benchwarmers.cli.server import Server

PATH: Final = "/v1/chat/completions"


@click.command(
    "route",
    cls=Command,
    examples=("bench route agents", 'bench route agents "Say hello in Breton."', "bench route agents < questions.txt"),
)
@click.argument("collection")
@click.argument("prompt", nargs=-1)
@click.option("--system", default="", help="What the model is told before the chat.")
def route(collection: str, prompt: tuple[str, ...], system: str) -> None:
    """Chat with a collection in route mode: the best member answers, and another when it fails.

    Answers go to stdout as they come, who gave them to stderr. With a PROMPT it is one turn; without, each line of
    stdin is one, and the chat goes on until its end (Ctrl-D). With --json, the last piece of each answer on a line.
    """
    name = model_name(collection).partition(":")[0]
    talk = [{"role": "system", "content": system}] if system else []
    server = Server()
    for said in [" ".join(prompt)] if prompt else _lines():
        talk.append({"role": "user", "content": said})
        try:
            talk.append({"role": "assistant", "content": _turn(server, f"{name}:route", talk)})
        except Unreachable:
            raise
        except Failed as failed:
            if prompt or not sys.stdin.isatty():
                raise
            failed.show()
            talk.pop()  # a person may ask again, in other words


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        import readline  # noqa: F401 lets people edit what they type, and go back to it
    while True:
        if sys.stdin.isatty():
            try:
                line = input("> ")
            except EOFError:
                click.echo("", err=True)
                return
        else:
            line = sys.stdin.readline()
            if not line:
                return
        if line.strip():
            yield line.strip()


def _turn(server: Server, model: str, talk: list[dict[str, Any]]) -> str:
    said: list[str] = []
    bench: dict[str, Any] = {}
    last: dict[str, Any] = {}
    with server.stream("POST", PATH, {"model": model, "messages": talk, "stream": True}) as answer:
        for chunk in chunks(answer.iter_lines()):
            said.append(text := text_of(chunk))
            bench, last = chunk.get("bench") or bench, chunk
            if text and not setup().json:
                click.echo(show.harmless(text) if show.is_terminal(sys.stdout) else text, nl=False)
    if setup().json:
        import msgspec

        click.echo(msgspec.json.encode(last))
    else:
        click.echo("")
        _tell(bench)
    return "".join(said)


def _tell(bench: dict[str, Any]) -> None:
    for failed in bench.get("failed_over") or []:
        show.say(f"{failed.get('alias')} failed: {failed.get('error')}", err=True)
    show.say(f"{bench.get('alias')}, turn {bench.get('turn')} ({bench.get('call')})", err=True)


COMMANDS: Final = {"route": route}

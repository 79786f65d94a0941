"""`bench sign-ins` and `bench sign-in`: endpoints that are signed in to a provider instead of having a key."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, Group
from benchwarmers.cli.server import Reply, Server

OFFERED: Final = ("provider", "label", "signed in", "how", "problem")
UNDER_WAY: Final = ("pending", "exchanging")


@click.command("sign-ins", cls=Command, examples=("bench sign-ins", "bench sign-ins --json"))
def sign_ins() -> None:
    """List the providers that endpoints can be signed in to, and those that are."""
    show.reply(Server().get("/api/connect"), lambda told: show.table(OFFERED, _rows(told)))


def _rows(told: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    signed: dict[Any, list[str]] = {}
    for row in told.get("connected") or []:
        state = " (again, please)" if row.get("expired") else ""
        signed.setdefault(row.get("provider"), []).append(f"{row.get('endpoint')}{state}")
    for one in told.get("providers") or []:
        yield one.get("id"), one.get("label"), signed.get(one.get("id")), one.get("flow"), one.get("problem")


@click.group("sign-in", cls=Group)
def sign_in() -> None:
    """Sign an endpoint in to a provider, or choose the application by which that is done."""


@sign_in.command("start", examples=("bench sign-in start openrouter", "bench sign-in start github --endpoint github"))
@click.argument("provider")
@click.option("--endpoint", default="", help="One that is there already and signs in again.")
@click.option("--code", is_flag=True, help="By a code to type, where the browser is on another machine.")
@click.option("--no-wait", is_flag=True, help="Say the address and end; `bench sign-in look` tells how it went.")
def start(provider: str, endpoint: str, code: bool, no_wait: bool) -> None:
    """Begin a sign-in, say which page to open, and wait until somebody agreed there.

    A page that leads back here needs a browser on the server's own machine, and --url with localhost.
    """
    server = Server()
    begun = server.post("/api/connect/start", {"provider": provider, "endpoint": endpoint, "code": code})
    told = begun.data
    if told.get("state") in UNDER_WAY:
        show.say(f"Open {told.get('url')}", err=True)
        if told.get("user_code"):
            show.say(f"and type {told['user_code']} there.", err=True)
    ended = begun if no_wait else _follow(server, begun)
    show.reply(ended, _say)
    _fail_if_failed(ended)


@sign_in.command("look", examples=("bench sign-in look 12",))
@click.argument("number", type=int)
def look(number: int) -> None:
    """Say how a sign-in goes that you began."""
    answer = Server().post("/api/connect/poll", {"id": number})
    show.reply(answer, _say)
    _fail_if_failed(answer)


@sign_in.command("app", examples=("bench sign-in app github Iv23liAbCdEf", "bench sign-in app github none"))
@click.argument("provider")
@click.argument("client_id")
def app(provider: str, client_id: str) -> None:
    """Use an application of your own, by its public client id; `none` goes back to the one that comes along."""
    own = "" if client_id == "none" else client_id
    sentence = f"{provider} uses {'your own application' if own else 'no application of your own'}."
    answer = Server().post("/api/connect/app", {"provider": provider, "client_id": own})
    show.reply(answer, lambda told: show.say(sentence))


def _follow(server: Server, answer: Reply) -> Reply:
    while answer.data.get("state") in UNDER_WAY:
        time.sleep(max(1, int(answer.data.get("interval") or 5)))
        answer = server.post("/api/connect/poll", {"id": answer.data["id"]})
    return answer


def _say(told: Any) -> None:
    match told.get("state"):
        case "done":
            models = f", which lists {told['served']} models" if told.get("served") is not None else ""
            show.say(f"Signed in: the endpoint {told.get('endpoint')}{models}.")
        case "failed":
            pass  # told as the failure that it is
        case _:
            show.say(f"Sign-in {told.get('id')} waits until somebody agrees.")


def _fail_if_failed(answer: Reply) -> None:
    """Raises Failed for a sign-in that came to nothing."""
    if answer.data.get("state") == "failed":
        raise Failed(" ".join(map(str, answer.data.get("trouble") or [])) or "The sign-in failed.")


COMMANDS: Final = {"sign-ins": sign_ins, "sign-in": sign_in}

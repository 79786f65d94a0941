"""Asks the server: addresses, credentials, and what each refusal means to whoever typed the command.

The gateway's routes take BENCHWARMERS_KEY; those under /api take BENCHWARMERS_TOKEN, else BENCHWARMERS_ADMIN_TOKEN.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

import click

from benchwarmers.cli.base import Failed, Unreachable, setup

if TYPE_CHECKING:
    from benchwarmers.cli.line import Answer

URL: Final = "BENCHWARMERS_URL"
KEY: Final = "BENCHWARMERS_KEY"
TOKEN: Final = "BENCHWARMERS_TOKEN"  # noqa: S105 a variable's name
ADMIN: Final = "BENCHWARMERS_ADMIN_TOKEN"
TIMEOUT: Final = "BENCHWARMERS_TIMEOUT"
DEFAULT_URL: Final = "http://127.0.0.1:8122"
DEFAULT_TIMEOUT_S: Final = 900.0
CONNECT_S: Final = 10.0
HOW_TO_START: Final = f"Start it with `bench up`, or say where it runs: {URL} or --url."
OLDER: Final = "The server is older than this client: it does not know {what}. Update the server."
NO_ROUTE: Final = "There is no route "
NAMES: Final = {
    "key": f"Set {KEY} to a gateway key; the page Keys makes one.",
    "token": f"Set {TOKEN} to a personal token; the page Your account makes one.",
}


class Refused(Failed):
    """The server said no. `body` is what it said, for --json."""

    def __init__(self, message: str, status: int, body: bytes) -> None:
        super().__init__(message)
        self.status = status
        self.body = body
        context = click.get_current_context(silent=True)
        self.shown = context is not None and setup().json

    def show(self, file: Any = None) -> None:
        """The sentence on stderr; with --json what the server said on stdout as well."""
        if self.shown and self.body:
            click.echo(self.body.decode("utf-8", "replace"))
        super().show(file)


@dataclass(frozen=True)
class Reply:
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """The document. None where it is no JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


def read_url(said: str | None) -> str:
    """The server's address without a closing slash or `/v1`. Raises a usage error."""
    url = (said or os.environ.get(URL, "").strip() or DEFAULT_URL).rstrip("/").removesuffix("/v1").rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.UsageError(f"{url!r} is no address of a server; one looks like {DEFAULT_URL}.")
    return url


def read_seconds(name: str, default: float) -> float:
    """The seconds that a variable says. Raises a usage error."""
    said = os.environ.get(name, "").strip()
    try:
        seconds = float(said) if said else default
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise click.UsageError(f"{name} is {said!r}; it is a number of seconds above 0.")
    return seconds


def credential(path: str) -> tuple[str, dict[str, str]]:
    """(which kind the route takes, the headers that carry it)."""
    if not path.startswith("/api/"):
        kind, secret = "key", os.environ.get(KEY, "").strip()
    else:
        kind, secret = "token", os.environ.get(TOKEN, "").strip() or os.environ.get(ADMIN, "").strip()
    return kind, {"Authorization": f"Bearer {secret}"} if secret else {}


def not_running(url: str, why: str = "") -> str:
    """The sentence for an address where nobody answers."""
    return f"Benchwarmers is not running at {url}{f' ({why})' if why else ''}. {HOW_TO_START}"


def too_late(seconds: float) -> str:
    """The sentence for an answer that did not come in time."""
    return f"No answer within {seconds:g} s; {TIMEOUT} is how many seconds this waits."


class Server:
    """The server of this command line."""

    def __init__(self) -> None:
        self.url = read_url(setup().url)
        self.timeout_s = read_seconds(TIMEOUT, DEFAULT_TIMEOUT_S)

    def get(self, path: str, **query: str) -> Reply:
        """The reply. Raises Failed."""
        return self._whole("GET", path, None, query)

    def post(self, path: str, body: Mapping[str, Any]) -> Reply:
        """The reply. Raises Failed."""
        return self._whole("POST", path, body, {})

    def _whole(self, method: str, path: str, body: Any, query: Mapping[str, str]) -> Reply:
        with self.stream(method, path, body, query) as answer:
            reply = Reply(answer.status_code, answer.headers, answer.read())
        told = reply.data
        if path.startswith("/api/") and not isinstance(told, dict):
            raise Refused(OLDER.format(what=f"{method} {path}"), reply.status, reply.body)
        if isinstance(told, dict) and told.get("ok") is False:
            raise Refused(says(told), reply.status, reply.body)
        return reply

    @contextmanager
    def stream(
        self, method: str, path: str, body: Any = None, query: Mapping[str, str] | None = None
    ) -> Iterator[Answer]:
        """The answer as it comes; one that refuses is raised as such. Raises Failed."""
        from benchwarmers.cli.line import BrokenOff, TooLate, Unanswered, asked

        kind, headers = credential(path)
        headers |= {"Accept": "*/*", "User-Agent": "bench"}
        sent = None
        if body is not None:
            sent = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        url = self.url + path + (f"?{urlencode(query)}" if query else "")
        wait = {"connect_s": min(CONNECT_S, self.timeout_s), "read_s": self.timeout_s}
        try:
            with asked(url, method, sent, headers, **wait) as answer:
                if answer.status_code >= 300:
                    raise refusal(method, path, kind, answer.status_code, answer.read())
                yield answer
        except Unanswered as error:
            raise Unreachable(not_running(self.url, str(error))) from None
        except TooLate:
            raise Failed(too_late(self.timeout_s)) from None
        except BrokenOff as error:
            raise Failed(f"The server broke off before its answer was whole ({error}).") from None


def refusal(method: str, path: str, kind: str, status: int, body: bytes) -> Refused:
    """What a status of 300 and more means."""
    told = Reply(status, {}, body).data
    if status == 401:
        return Refused(f"{says(told) if told else 'This needs a credential.'} {NAMES[kind]}", status, body)
    if path.startswith("/api/") and (not isinstance(told, dict) or (status == 404 and _knows_no_route(told))):
        return Refused(OLDER.format(what=f"{method} {path}"), status, body)
    if told is None:
        return Refused(f"{method} {path} was answered with {status} and no JSON. Is this Benchwarmers?", status, body)
    return Refused(says(told), status, body)


def _knows_no_route(told: Any) -> bool:
    """Whether a 404 is about the route, and not about a thing that it was asked for."""
    return told.get("ok") is not False or says(told).startswith(NO_ROUTE)


def says(told: Any) -> str:
    """The sentences of a refusal, in either shape."""
    if not isinstance(told, dict):
        return str(told)[:500]
    if isinstance(told.get("errors"), list):
        return "\n".join(map(str, told["errors"])) or "The server refused, and did not say why."
    error = told.get("error")
    return str((error.get("message") if isinstance(error, dict) else error) or told)

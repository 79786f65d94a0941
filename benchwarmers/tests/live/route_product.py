"""An installation for route mode with short limits, and how each format asks it for a turn of a conversation."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchwarmers.tests.live.faulty import Faulty
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import Running, environment, free_port
from gateway.tests.api.asking import WAYS

FIRST_PIECE_S = 2.5
TURN_S = 5.0
TOO_OFTEN = frozenset({"429", "429-wait", "529"})
"""Faults after which pacing holds the connection's calls back."""
LIMITS = {
    "BENCH_ROUTE_FIRST_PIECE_S": str(FIRST_PIECE_S),
    "BENCH_ROUTE_TURN_S": str(TURN_S),
    "BENCH_ROUTE_GRACE_S": "12",
}


def route_file(faulty: Faulty, collections: Mapping[str, tuple[str, ...]]) -> str:
    """A set-up file. The members of a collection are served names; those of `refused` are where nobody listens. Whoever
    answers that it is asked too often has a connection of its own, for the calls of that are held back afterwards."""
    every = sorted({one for members in collections.values() for one in members})
    endpoint_of = {served: _endpoint_of(served, place) for place, served in enumerate(every)}
    lines = []
    for name in sorted({"faulty", *endpoint_of.values()}):
        base, default = faulty.dead if name == "dead" else faulty.base, "true" if name == "faulty" else "false"
        lines.append(f'[[endpoint]]\nname = "{name}"\nbase = "{base}"\nkind = "local"\ndefault = {default}\n')
    for served in every:
        endpoint = endpoint_of[served]
        lines.append(
            f'[[model]]\nalias = "{alias_of(served)}"\nserved = "{served}"\nendpoint = "{endpoint}"\ntools = true\n'
        )
    for name, members in collections.items():
        listed = json.dumps([alias_of(one) for one in members])
        lines.append(f'[[collection]]\nname = "{name}"\nmembers = {listed}\nreply = "route"\n')
    return "\n".join(lines)


def _endpoint_of(served: str, place: int) -> str:
    fault = served.removeprefix("once-").partition("/")[0]
    if fault in TOO_OFTEN:
        return f"busy-{place}"
    return "dead" if fault.startswith("refused") else "sound" if fault == "well" else "faulty"


def alias_of(served: str) -> str:
    return served.replace("/", "-")


class RouteProduct(Product):
    """Collections in route mode over a faulty provider."""

    def __init__(self, home: Path, faulty: Faulty, collections: Mapping[str, tuple[str, ...]], **extra: str) -> None:
        self.port = free_port()
        extra = {**LIMITS, **extra}
        file = home / "setup.toml"
        file.write_text(route_file(faulty, collections))
        prepare(home)
        self.environment = environment(home, self.port, measured=False) | extra
        self.manage("apply", str(file))
        self.run = Running(home, self.port, measured=False, extra=extra)
        self.run.wait_until_whole()

    def rows(self, question: str, *values: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.run.home / "benchwarmers.sqlite3") as database:
            return database.execute(question, values).fetchall()


LOOK: dict[str, Any] = {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}}
TOOLS: dict[str, Any] = {
    "chat": [{"type": "function", "function": LOOK}],
    "responses": [{"type": "function", **LOOK}],
    "anthropic": [{"name": "look", "description": "Look.", "input_schema": LOOK["parameters"]}],
    "gemini": [{"functionDeclarations": [LOOK]}],
    "gemini array": [{"functionDeclarations": [LOOK]}],
    "ollama": [{"type": "function", "function": LOOK}],
}
"""One tool as each format offers it, where a format has tools."""


def turn_request(way: str, stream: bool, collection: str, said: Iterable[str] = ("Hello?",)) -> tuple[str, bytes]:
    """(path, body) of a turn. `said` is the conversation so far: the caller and the model in turn."""
    path, body = WAYS[way].request(stream)
    roles = [("user", "assistant")[place % 2] for place, _ in enumerate(said)]
    said = list(said)
    body = {**body, **({"tools": TOOLS[way]} if way in TOOLS else {})}
    if "model" in body:
        body["model"] = f"bench/{collection}"
    talk: Any = [{"role": role, "content": text} for role, text in zip(roles, said, strict=True)]
    match way:
        case "completions" | "generate":
            body["prompt"] = said[0]  # these know no turns: the same question again
        case "responses":
            body["input"] = talk
        case "gemini" | "gemini array":
            names = {"user": "user", "assistant": "model"}
            body["contents"] = [{"role": names[one["role"]], "parts": [{"text": one["content"]}]} for one in talk]
        case _:
            body["messages"] = talk
    return path.replace("bench/core", f"bench/{collection}"), json.dumps(body).encode()

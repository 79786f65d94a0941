"""Small streams in the shapes servers send, and the ways to read them."""

import json
from collections.abc import Iterable
from typing import Any

from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.wire.base import Stamp, Writer
from gateway.wire.ollama import CLIENT, GENERATE_SERVER, SERVER

STAMP = Stamp("ollama-1", 1_790_000_000, "bench/core", lambda: 1.5)
CREATED = "2026-09-21T14:13:20.000000Z"
ASK = Ask("ollama", "bench/core", (Turn("user", (Text("hi"),)),))


def lines(*objects: Any, end: str = "\n") -> bytes:
    """A stream of these objects; text stands for itself."""
    return "".join((o if isinstance(o, str) else json.dumps(o, ensure_ascii=False)) + end for o in objects).encode()


def piece(**message: Any) -> dict[str, Any]:
    named = {"model": "m", "created_at": "2026-01-01T00:00:00Z"}
    return {**named, "message": {"role": "assistant", "content": "", **message}, "done": False}


def last(reason: str | None = "stop", **fields: Any) -> dict[str, Any]:
    return {**piece(), "done_reason": reason, "done": True, **fields}


def call(name: str | None, arguments: Any = None, id: str | None = None) -> dict[str, Any]:
    entry: dict[str, Any] = {"function": {"name": name, "arguments": arguments}}
    return entry if id is None else {"id": id, **entry}


def events_of(body: bytes, *cuts: int) -> list[Event]:
    reader = CLIENT.reader(content_type="application/x-ndjson")
    events: list[Event] = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body: bytes, *cuts: int) -> Reply:
    return fold(events_of(body, *cuts))


def writer(*, generate: bool = False) -> Writer:
    return (GENERATE_SERVER if generate else SERVER).writer(ASK, STAMP)


def write(events: Iterable[Event], *, generate: bool = False) -> bytes:
    writing = writer(generate=generate)
    return b"".join(writing.feed(event) for event in events)


def lines_of(stream: bytes) -> list[dict[str, Any]]:
    """The parsed lines of a stream, each of which must end."""
    assert stream.endswith(b"\n")
    return [json.loads(line) for line in stream.decode().split("\n")[:-1]]


def whole(reply: Reply, *, generate: bool = False) -> dict[str, Any]:
    """The document of a whole reply."""
    document: dict[str, Any] = json.loads(writer(generate=generate).whole(reply))
    return document

"""Small streams in the shapes providers send, and the ways to read them."""

import json
from collections.abc import Iterable
from typing import Any

from gateway.canon.ask import Ask
from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.wire.base import Stamp, Writer
from gateway.wire.openai_chat import CLIENT, SERVER

STAMP = Stamp("chatcmpl-1", 1_790_000_000, "bench/core")


def sse(*chunks: Any, done: bool = True, end: str = "\n\n") -> bytes:
    """A stream of these chunks; text stands for itself."""
    lines = [chunk if isinstance(chunk, str) else json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
    return "".join(f"data: {line}{end}" for line in [*lines, *(["[DONE]"] if done else [])]).encode()


def delta(finish: str | None = None, index: int = 0, **fields: Any) -> dict[str, Any]:
    return {"id": "c1", "model": "m", "choices": [{"index": index, "delta": fields, "finish_reason": finish}]}


def tool(index: int, id: str | None = None, name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def events_of(body: bytes, *cuts: int, content_type: str = "text/event-stream") -> list[Event]:
    reader = CLIENT.reader(content_type=content_type)
    events: list[Event] = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body: bytes, *cuts: int) -> Reply:
    return fold(events_of(body, *cuts))


def writer(include_usage: bool = False) -> Writer:
    return SERVER.writer(Ask("openai_chat", "bench/core", (), include_usage=include_usage), STAMP)


def write(events: Iterable[Event], include_usage: bool = False) -> bytes:
    writing = writer(include_usage)
    return b"".join(writing.feed(event) for event in events)


def chunks_of(stream: bytes) -> list[dict[str, Any]]:
    """The parsed chunks of a stream, which must end in `[DONE]`."""
    frames = stream.decode().split("\n\n")
    assert frames[-2:] == ["data: [DONE]", ""]
    return [json.loads(frame.removeprefix("data: ")) for frame in frames[:-2]]

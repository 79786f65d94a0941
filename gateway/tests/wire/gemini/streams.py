"""Small answers in the shapes providers send, and the ways to read them."""

import json
from collections.abc import Iterable
from typing import Any

from msgspec import Raw

from gateway.canon.ask import Ask
from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.tests.wire.gemini.asking import HELLO
from gateway.wire.base import Stamp, Writer
from gateway.wire.gemini import CLIENT, SERVER
from gateway.wire.gemini.ask import INCLUDE_THOUGHTS

STAMP = Stamp("0123456789abcdef01234567", 1_790_000_000, "bench/core")


def chunk(*parts: Any, finish: Any = None, **fields: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "modelVersion": "m", "responseId": "r1", **fields}


def call(name: str, args: Any = None, id: str | None = None, **part: Any) -> dict[str, Any]:
    function = {"name": name, "args": args, "id": id}
    return {"functionCall": {key: value for key, value in function.items() if value is not None}, **part}


def sse(*chunks: Any, end: str = "\n\n") -> bytes:
    """A stream of these chunks; text stands for itself."""
    lines = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in chunks]
    return "".join(f"data: {line}{end}" for line in lines).encode()


def array(*chunks: Any, between: str = ",\r\n") -> bytes:
    """The same as one JSON array."""
    return f"[{between.join(json.dumps(one, ensure_ascii=False) for one in chunks)}\n]\n".encode()


def events_of(body: bytes, *cuts: int) -> list[Event]:
    reader = CLIENT.reader(content_type="text/event-stream")
    events: list[Event] = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body: bytes, *cuts: int) -> Reply:
    return fold(events_of(body, *cuts))


def writer(*, array: bool = False, thoughts: bool = True) -> Writer:
    extras = {INCLUDE_THOUGHTS: Raw(b"true")} if thoughts else {}
    return SERVER.writer(Ask("gemini", "bench/core", (HELLO,), extras=extras, stream_array=array), STAMP)


def write(events: Iterable[Event], *, array: bool = False, thoughts: bool = True) -> bytes:
    writing = writer(array=array, thoughts=thoughts)
    return b"".join(writing.feed(event) for event in events)


def chunks_of(stream: bytes) -> list[dict[str, Any]]:
    """The parsed chunks of a stream of events, which ends with the last of them."""
    frames = stream.decode().split("\n\n")
    assert frames[-1] == ""
    return [json.loads(frame.removeprefix("data: ")) for frame in frames[:-1]]


def parts_of(stream: bytes) -> list[dict[str, Any]]:
    """The parts of the first answer, one after another."""
    return [
        part
        for one in chunks_of(stream)
        for candidate in one["candidates"]
        if candidate["index"] == 0
        for part in candidate["content"]["parts"]
    ]

"""Small streams in the shapes providers send, and the ways to read them."""

import json
from collections.abc import Iterable
from typing import Any

from gateway.canon.ask import Ask, Tool
from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.wire.anthropic import CLIENT, SERVER
from gateway.wire.base import Stamp, Writer

STAMP = Stamp("msg_1", 1_790_000_000, "bench/core:route")
START: dict[str, Any] = {
    "type": "message_start",
    "message": {"id": "m1", "type": "message", "model": "m", "content": [], "usage": {"input_tokens": 9}},
}
STOP: dict[str, Any] = {"type": "message_stop"}


def sse(*frames: dict[str, Any], names: bool = True, end: str = "\n") -> bytes:
    """A stream of these events."""
    lines = [
        (f"event: {frame['type']}{end}" if names else "") + f"data: {json.dumps(frame, ensure_ascii=False)}{end}{end}"
        for frame in frames
    ]
    return "".join(lines).encode()


def begin(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": {"type": kind, **fields}}


def delta(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def text(index: int, words: str) -> dict[str, Any]:
    return delta(index, "text_delta", text=words)


def args(index: int, piece: str) -> dict[str, Any]:
    return delta(index, "input_json_delta", partial_json=piece)


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ended(reason: str | None = "end_turn", sequence: str | None = None, **usage: Any) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": sequence}, "usage": usage}


def said(*frames: dict[str, Any], reason: str = "end_turn") -> bytes:
    """A stream of an opening, these frames, and an end."""
    return sse(START, *frames, ended(reason, output_tokens=5), STOP)


def events_of(body: bytes, *cuts: int, content_type: str = "text/event-stream") -> list[Event]:
    reader = CLIENT.reader(content_type=content_type)
    events: list[Event] = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body: bytes, *cuts: int) -> Reply:
    return fold(events_of(body, *cuts))


def writer(*tools: Tool) -> Writer:
    return SERVER.writer(Ask("anthropic", "bench/core:route", (), tools=tools), STAMP)


def write(events: Iterable[Event], *tools: Tool) -> bytes:
    writing = writer(*tools)
    return b"".join(writing.feed(event) for event in events)


def frames_of(stream: bytes) -> list[dict[str, Any]]:
    """The parsed events of a stream; each must carry its name in its `event:` line."""
    frames: list[dict[str, Any]] = []
    for chunk in stream.decode().split("\n\n")[:-1]:
        name, _, data = chunk.partition("\n")
        frames.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {frames[-1]['type']}"
    return frames


def blocks_of(stream: bytes) -> list[dict[str, Any]]:
    """The blocks a client puts together, checked for order: one open at a time, indexes counted up."""
    blocks: list[dict[str, Any]] = []
    open_ = False
    for frame in frames_of(stream):
        kind = frame["type"]
        if kind == "content_block_start":
            assert not open_
            assert frame["index"] == len(blocks)
            blocks.append(dict(frame["content_block"]))
            open_ = True
        elif kind == "content_block_delta":
            assert open_
            assert frame["index"] == len(blocks) - 1
            piece = frame["delta"]
            name = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}.get(
                piece["type"], "json"
            )
            blocks[-1][name] = blocks[-1].get(name, "") + (piece.get(name) or piece.get("partial_json") or "")
        elif kind == "content_block_stop":
            assert open_
            assert frame["index"] == len(blocks) - 1
            open_ = False
    assert not open_
    for block in blocks:
        if "json" in block:
            assert block["input"] == {}
            block["input"] = json.loads(block.pop("json"))
    return blocks


def types_of(stream: bytes) -> list[str]:
    return [frame["type"] for frame in frames_of(stream)]


def whole(reply: Reply, *tools: Tool) -> dict[str, Any]:
    """The document of a whole reply."""
    document: dict[str, Any] = json.loads(writer(*tools).whole(reply))
    return document

"""Small streams in the shapes providers send, and the ways to read and write them."""

import json
from collections.abc import Iterable
from typing import Any

from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.tests.wire.openai_responses.asking import read as ask_with
from gateway.wire.base import Stamp, Writer
from gateway.wire.openai_responses import CLIENT, SERVER

STAMP = Stamp("resp_1", 1_790_000_000, "bench/core")


def sse(*events: Any, end: str = "\n\n") -> bytes:
    """A stream of these events; text stands for itself."""
    lines = [event if isinstance(event, str) else json.dumps(event, ensure_ascii=False) for event in events]
    return "".join(f"data: {line}{end}" for line in lines).encode()


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{name}", **fields}


def created() -> dict[str, Any]:
    return event("created", response={"id": "r1", "model": "m", "status": "in_progress", "output": []})


def delta(text: str, at: int = 0, content: int = 0) -> dict[str, Any]:
    return event("output_text.delta", output_index=at, content_index=content, delta=text)


def added(at: int = 0, **item: Any) -> dict[str, Any]:
    return event("output_item.added", output_index=at, item=item)


def done(at: int = 0, **item: Any) -> dict[str, Any]:
    return event("output_item.done", output_index=at, item=item)


def completed(*output: Any, **fields: Any) -> dict[str, Any]:
    return event("completed", response=whole(*output, **fields))


def whole(*output: Any, **fields: Any) -> dict[str, Any]:
    return {"id": "r1", "object": "response", "model": "m", "status": "completed", "output": list(output), **fields}


def message(*texts: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": "msg_1", "role": "assistant", "content": content}


def call(id: str, name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name, "arguments": arguments, **more}


def events_of(body: bytes, *cuts: int, content_type: str = "text/event-stream") -> list[Event]:
    reader = CLIENT.reader(content_type=content_type)
    events: list[Event] = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body: bytes, *cuts: int) -> Reply:
    return fold(events_of(body, *cuts))


def writer(**asked: Any) -> Writer:
    """The writer for a request with these fields."""
    return SERVER.writer(ask_with(**asked), STAMP)


def write(events: Iterable[Event], **asked: Any) -> bytes:
    writing = writer(**asked)
    return b"".join(writing.feed(event) for event in events)


def told(stream: bytes) -> list[dict[str, Any]]:
    """The parsed events of a stream, checked for what holds in every stream: each named after its type, numbered from
    nought, begun by the response and ended by it, and every item as finished as the last response says."""
    frames = stream.decode().split("\n\n")
    assert frames.pop() == ""
    events = []
    for frame in frames:
        name, data = frame.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {events[-1]['type']}"
    assert [found["sequence_number"] for found in events] == list(range(len(events)))
    assert [found["type"] for found in events[:2]] == ["response.created", "response.in_progress"]
    last = events[-1]
    assert last["type"] in ("response.completed", "response.failed")
    if last["type"] == "response.completed":
        check_items(events, last["response"]["output"])
    return events


def check_items(events: list[dict[str, Any]], output: list[Any]) -> None:
    """Each item was begun, finished and is what its pieces amount to."""
    begun = {found["output_index"]: found["item"] for found in events if found["type"] == "response.output_item.added"}
    ended = {found["output_index"]: found["item"] for found in events if found["type"] == "response.output_item.done"}
    assert [ended[at] for at in sorted(ended)] == output
    assert begun.keys() == ended.keys()
    for at, item in ended.items():
        assert (begun[at]["id"], begun[at]["type"]) == (item["id"], item["type"])
        pieces = [found for found in events if found.get("output_index") == at and found["type"].endswith(".delta")]
        assert all(found["item_id"] == item["id"] for found in pieces)
        text = "".join(found["delta"] for found in pieces)
        match item["type"]:
            case "message":
                assert text == "".join(part.get("text", part.get("refusal")) for part in item["content"])
            case "function_call":
                assert text == item["arguments"]
            case "custom_tool_call":
                assert text == item["input"]
            case "reasoning" if pieces:
                assert text == "".join(part["text"] for part in item["summary"])


def items_of(stream: bytes) -> list[dict[str, Any]]:
    """The items in the response that ends a stream."""
    items: list[dict[str, Any]] = told(stream)[-1]["response"]["output"]
    return items

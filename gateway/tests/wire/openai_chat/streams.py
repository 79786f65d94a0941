"""Small streams in the shapes providers send, and the ways to read them."""

import json

from gateway.canon.ask import Ask
from gateway.canon.reply import fold
from gateway.wire.base import Stamp
from gateway.wire.openai_chat import CLIENT, SERVER

STAMP = Stamp("chatcmpl-1", 1_790_000_000, "bench/core")


def sse(*chunks, done=True, end="\n\n"):
    """A stream of these chunks; text stands for itself."""
    lines = [chunk if isinstance(chunk, str) else json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
    return "".join(f"data: {line}{end}" for line in [*lines, *(["[DONE]"] if done else [])]).encode()


def delta(finish=None, index=0, **fields):
    return {"id": "c1", "model": "m", "choices": [{"index": index, "delta": fields, "finish_reason": finish}]}


def tool(index, id=None, name=None, arguments=None):
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def events_of(body, *cuts, content_type="text/event-stream"):
    reader = CLIENT.reader(content_type=content_type)
    events = []
    edges = [0, *sorted(cuts), len(body)]
    for at, edge in enumerate(edges[1:]):
        events += reader.feed(body[edges[at] : edge])
    return events + list(reader.end())


def read(body, *cuts):
    return fold(events_of(body, *cuts))


def writer(include_usage=False):
    return SERVER.writer(Ask("openai_chat", "bench/core", (), include_usage=include_usage), STAMP)


def write(events, include_usage=False):
    writing = writer(include_usage)
    return b"".join(writing.feed(event) for event in events)


def chunks_of(stream):
    """The parsed chunks of a stream, which must end in `[DONE]`."""
    frames = stream.decode().split("\n\n")
    assert frames[-2:] == ["data: [DONE]", ""]
    return [json.loads(frame.removeprefix("data: ")) for frame in frames[:-2]]

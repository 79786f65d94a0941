"""State that came on several lines never breaks a stream."""

import json

from msgspec import Raw

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, ThoughtDelta
from gateway.canon.reply import fold
from gateway.wire.base import Stamp
from gateway.wire.openai_chat import CLIENT, SERVER
from gateway.wire.sse import frame

BODY = {
    "id": "c1",
    "choices": [
        {
            "index": 0,
            "message": {"content": "yes", "reasoning": "hm", "reasoning_details": [{"type": "x", "data": "a\nb"}]},
            "finish_reason": "stop",
        }
    ],
}


def test_a_pretty_printed_reply_with_opaque_state_is_streamed_whole() -> None:
    reader = CLIENT.reader(content_type="application/json")
    events = [*reader.feed(json.dumps(BODY, indent=2).encode()), *reader.end()]
    writer = SERVER.writer(Ask("openai_chat", "bench/core", ()), Stamp("c", 1, "bench/core"))

    again = CLIENT.reader(content_type="text/event-stream")
    heard = [*again.feed(b"".join(map(writer.feed, events))), *again.end()]

    assert fold(heard).fault is None
    assert fold(heard).text == "yes"
    assert fold(heard).reasoning == "hm"


def test_state_of_another_format_on_several_lines_is_wrapped_on_one() -> None:
    writer = SERVER.writer(Ask("openai_chat", "bench/core", ()), Stamp("c", 1, "bench/core"))
    seal = Raw(b'{\n "anthropic": {\r\n "signature": "s"\n}}')
    stream = writer.feed(ThoughtDelta("hm", 0, seal)) + writer.feed(Closed())
    for event in stream.split(b"\n\n"):
        assert b"\n" not in event
        assert b"\r" not in event


def test_an_event_is_one_line_whatever_its_json_looks_like() -> None:
    assert frame(b'{\n"a":\r\n1}', "x") == b'event: x\ndata: { "a": 1}\n\n'

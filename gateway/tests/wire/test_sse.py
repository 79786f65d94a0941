"""Server-sent events come out whole, wherever the bytes were cut."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.wire.sse import SseEvent, SseSplitter, frame


def split(stream: bytes, *cuts: int) -> list[SseEvent]:
    splitter = SseSplitter()
    edges = [0, *sorted(cuts), len(stream)]
    events: list[SseEvent] = []
    for start, end in pairwise(edges):
        events += splitter.feed(stream[start:end])
    return events + splitter.end()


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\ndata:b\n\n", [("", b"a"), ("", b"b")]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [("", b"a"), ("", b"b")]),
        (b"data: a\r\rdata: b\r\r", [("", b"a"), ("", b"b")]),
        (b": hello\n\ndata: a\n\n", [("", b"a")]),
        (b"event: error\ndata: a\n\ndata: b\n\n", [("error", b"a"), ("", b"b")]),
        (b"id: 1\nretry: 3\ndata: a\ndata: b\n\n", [("", b"a\nb")]),
        (b"data: a", [("", b"a")]),
        (b"data: a\r", [("", b"a")]),
        (b"event: ping\n\n", []),
        (b"data:  two spaces\n\n", [("", b" two spaces")]),
        (b"data\n\ndatum: x\n\n", []),
        (b"", []),
    ],
)
def test_streams_are_read_as_the_standard_says(stream: bytes, events: Any) -> None:
    assert split(stream) == events
    for cut in range(len(stream) + 1):
        assert split(stream, cut) == events
    assert split(stream, *range(len(stream))) == events


@given(st.lists(st.text(alphabet="ab北🌍 :", min_size=1), max_size=4), st.sampled_from([b"\n", b"\r\n"]), st.data())
def test_what_was_framed_comes_back_for_any_cuts(texts: list[str], end: bytes, data: Any) -> None:
    stream = b"".join(frame(text.encode(), "x").replace(b"\n", end) for text in texts)
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))

    assert split(stream, *cuts) == [("x", text.encode()) for text in texts]


def test_a_frame_without_a_name_has_no_event_line() -> None:
    assert frame(b"{}") == b"data: {}\n\n"

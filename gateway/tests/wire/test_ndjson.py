"""Lines come out whole, wherever the bytes were cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.wire.ndjson import LineSplitter, frame


def split(stream: bytes, *cuts: int) -> list[bytes]:
    splitter = LineSplitter()
    edges = [0, *sorted(cuts), len(stream)]
    lines: list[bytes] = []
    for start, end in pairwise(edges):
        lines += splitter.feed(stream[start:end])
    return lines + splitter.end()


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"{}\n[]\n", [b"{}", b"[]"]),
        (b"{}\r\n[]\r\n", [b"{}", b"[]"]),
        (b"\n \n{}\n\n", [b"{}"]),
        (b'{"a":1}', [b'{"a":1}']),
        (b'{"a":1}\r', [b'{"a":1}']),
        ("北\n京".encode(), ["北".encode(), "京".encode()]),
        (b"", []),
        (b"\n", []),
    ],
)
def test_lines_are_whole_for_every_cut(stream: bytes, lines: list[bytes]) -> None:
    assert split(stream) == lines
    for cut in range(len(stream) + 1):
        assert split(stream, cut) == lines
    assert split(stream, *range(len(stream))) == lines


@given(st.lists(st.text(alphabet="ab北🌍:", min_size=1), max_size=4), st.sampled_from([b"\n", b"\r\n"]), st.data())
def test_what_was_framed_comes_back_for_any_cuts(texts: list[str], end: bytes, data: st.DataObject) -> None:
    stream = b"".join(frame(text.encode()).replace(b"\n", end) for text in texts)
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))

    assert split(stream, *cuts) == [text.encode() for text in texts]


def test_after_its_end_a_splitter_holds_nothing() -> None:
    splitter = LineSplitter()
    splitter.feed(b"{}")

    assert (splitter.end(), splitter.end()) == ([b"{}"], [])

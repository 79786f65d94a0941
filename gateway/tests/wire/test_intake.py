"""Streams and whole documents are told apart by how they begin."""

import pytest

from gateway.wire.intake import Intake

STREAM = b"event: a\ndata: 1\n\ndata: 2\n\n"


def taken(body: bytes, *cuts: int) -> tuple[list[tuple[str, bytes]], bytes | None]:
    intake = Intake()
    edges = [0, *cuts, len(body)]
    events = [event for at, edge in enumerate(edges[1:]) for event in intake.feed(body[edges[at] : edge])]
    return [*events, *intake.end()], intake.whole


@pytest.mark.parametrize("start", [b"", b"\n\n ", b"\xef\xbb\xbf", b" \xef\xbb\xbf\n", b": comment\n\n"])
def test_a_stream_is_read_whatever_the_cut(start: bytes) -> None:
    body = start + STREAM

    assert all(taken(body, cut) == ([("a", b"1"), ("", b"2")], None) for cut in range(len(body)))


@pytest.mark.parametrize("start", [b"", b"\r\n ", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("document", [b'{"a": "data: x"}', b"[1]"])
def test_a_document_is_kept_whole_whatever_the_cut(start: bytes, document: bytes) -> None:
    body = start + document

    assert all(taken(body, cut) == ([], document) for cut in range(len(body)))


def test_an_event_without_its_blank_line_comes_at_the_end() -> None:
    assert taken(STREAM[:-2]) == ([("a", b"1"), ("", b"2")], None)


def test_how_a_reply_begins_can_be_shown() -> None:
    intake = Intake()
    assert intake.shown == "nothing came"
    intake.feed(b"<html>\n  gone")
    assert intake.shown == "<html> gone"


@pytest.mark.parametrize("body", [b"<html>\n  gone", b'{"a": 1}', b"\xef\xbb\xbf data: " + b"x" * 500])
def test_how_a_reply_begins_does_not_depend_on_the_cuts(body: bytes) -> None:
    whole, cut = Intake(), Intake()
    whole.feed(body)
    for at in range(len(body)):
        cut.feed(body[at : at + 1])

    assert cut.shown == whole.shown

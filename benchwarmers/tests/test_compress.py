"""Pages go out compressed to whoever takes that, and nothing else does."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from benchwarmers.compress import CompressPages

GZIP = {"accept-encoding": "gzip, br"}
LONG = b"<p>bench</p>" * 200


def passed(answer: HttpResponseBase, headers: dict[str, str]) -> HttpResponseBase:
    return CompressPages(lambda request: answer).process_response(RequestFactory().get("/", headers=headers), answer)


def test_a_page_is_compressed_for_a_browser_and_whole_for_others(client: Client) -> None:
    plain = client.get("/login/")
    pressed = client.get("/login/", headers=GZIP)
    assert "Content-Encoding" not in plain
    assert pressed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in pressed["Vary"]
    assert int(pressed["Content-Length"]) == len(pressed.content) < len(plain.content)
    assert b"</html>" in gzip.decompress(pressed.content)


@pytest.mark.parametrize(
    "answer",
    [
        HttpResponse(b"<p>bench</p>"),
        HttpResponse(LONG, content_type="application/json"),
        HttpResponse(LONG, content_type="text/event-stream"),
        StreamingHttpResponse(iter([LONG]), content_type="text/html"),
    ],
    ids=["a small page", "json", "events", "a page in pieces"],
)
def test_nothing_else_is(answer: HttpResponseBase) -> None:
    assert "Content-Encoding" not in passed(answer, GZIP)

"""How the edge's views read a body."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request
from rest_framework.response import Response

from gateway.api.edge import EdgeView


class Echo(EdgeView):
    """Answers with what it read."""

    authentication_classes = ()

    def post(self, request: Request) -> Response:
        """The body."""
        return Response({"read": request.data})


def post(body: bytes, headers: list[tuple[bytes, bytes]]) -> Any:
    scope = {"type": "http", "method": "POST", "path": "/bench/echo", "query_string": b"", "headers": headers}
    response = Echo.as_view()(ASGIRequest(scope, BytesIO(body)))
    return json.loads(response.render().content)


def test_a_body_sent_in_chunks_is_read_although_it_declares_no_length() -> None:
    chunked = [(b"transfer-encoding", b"chunked"), (b"content-type", b"application/json")]
    assert post(b'{"a": 1}', chunked) == {"read": {"a": 1}}


def test_a_body_over_djangos_own_limit_is_read() -> None:
    big = "x" * 3_000_000
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(big) + 2).encode())]
    assert post(f'"{big}"'.encode(), headers) == {"read": big}


def test_words_of_other_numbers_are_not_json() -> None:
    assert "not JSON" in post(b'{"a": NaN}', [])["error"]["message"]

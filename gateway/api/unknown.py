"""What is answered on a path of the gateway's that leads nowhere: 404, with the routes that there are."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from rest_framework.response import Response

from gateway.api.edge import EdgeView
from gateway.canon.fault import NotFound

ASKING = (
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/embeddings",
    "/v1/responses",
    "/v1/responses/input_tokens",
    "/v1/messages",
    "/v1/messages/count_tokens",
    "/v1beta/models/<collection>:generateContent",
    "/v1beta/models/<collection>:streamGenerateContent",
    "/v1beta/models/<collection>:countTokens",
    "/v1beta/models/<collection>:embedContent",
    "/v1beta/models/<collection>:batchEmbedContents",
    "/api/chat",
    "/api/generate",
    "/api/embed",
    "/api/embeddings",
)
POSTED = ("/api/show", "/bench/verdict", "/bench/pending")
READING = (
    "/v1/models",
    "/v1/models/<collection>",
    "/v1beta/models",
    "/v1beta/models/<collection>",
    "/api/tags",
    "/api/ps",
    "/api/version",
    "/bench/record?collection=<collection>",
    "/bench/openapi.json",
)
_SHOWN = 100


class UnknownView(EdgeView):
    """Any method on such a path. Needs no key: it says what the documentation says."""

    authentication_classes = ()
    http_method_names = ()

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None; the framework's would name the methods of this view, which has none."""
        return {}

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Always a NotFound."""
        raise NotFound(
            f"There is no route {request.method} {request.path[:_SHOWN]}. "
            f"Routes: POST {', '.join((*ASKING, *POSTED))}; "
            f"GET {', '.join(READING)}."
        )

"""Reads a Django request's body as JSON and as nothing else; answers in JSON whatever is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from gateway.canon.fault import BadRequest


class JsonBody(BaseParser):
    """Reads strict JSON of any depth that can be read, and calls everything else a bad request."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The decoded body."""
        try:
            return msgspec.json.decode(stream.read())
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadRequest(f"The body is not JSON ({error}); send one JSON object.") from None


class JsonOnly(BaseContentNegotiation):
    """JSON out whatever is accepted; JSON in unless another type is declared."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """None, which is a 415, for a body that is declared to be something else."""
        declared = (request.content_type or "").strip().lower()
        good = not declared or declared.startswith("application/json")
        return next(iter(parsers)) if good else None

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Always the first."""
        first = next(iter(renderers))
        return first, first.media_type

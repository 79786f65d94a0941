"""Addresses of this API, where the model and the method are part of the path."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import parse_qs, quote, unquote

Method = Literal["generateContent", "streamGenerateContent", "countTokens", "embedContent", "batchEmbedContents"]
EMBEDS: frozenset[Method] = frozenset({"embedContent", "batchEmbedContents"})

_METHODS: dict[str, Method] = {
    "generateContent": "generateContent",
    "streamGenerateContent": "streamGenerateContent",
    "countTokens": "countTokens",
    "embedContent": "embedContent",
    "batchEmbedContents": "batchEmbedContents",
}
_BEFORE_MODEL = re.compile(
    r"(?:v\d+(?:alpha\d*|beta\d*)?/)?(?:projects/[^:]+?/(?=publishers/))?(?:publishers/[^/]+/)?(?:models/)*"
)


def read_path(path: str) -> tuple[str, Method] | None:
    """(model, method) of a request's path, encoded or not; None when it is none of this API's. The method stands after
    the last colon, so a model's name may have colons of its own."""
    model, _, word = unquote(path.partition("?")[0]).strip("/").rpartition(":")
    method = _METHODS.get(word)
    start = _BEFORE_MODEL.match(model)
    model = model[start.end() :] if start is not None else model
    return (model, method) if model and method is not None else None


def wants_sse(query: str) -> bool:
    """Does the query ask for server-sent events in place of a JSON array?"""
    return parse_qs(query.lstrip("?")).get("alt", [""])[-1].lower() == "sse"


def write_path(served: str, *, stream: bool) -> str:
    """The path that asks this model, below the endpoint's base."""
    method = "streamGenerateContent?alt=sse" if stream else "generateContent"
    return f"/models/{quote(served.removeprefix('models/'), safe='')}:{method}"

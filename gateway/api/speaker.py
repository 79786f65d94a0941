"""Which format a request speaks: by its path, and where several APIs share the path, by what their clients send.

`x-goog-api-key`, or a key in the query, is Gemini; `anthropic-version` is Anthropic; neither is OpenAI.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest

from gateway.api.credentials import read_query_key
from gateway.api.zones import Format, zone_of

_GEMINI = b"x-goog-api-key"
_ANTHROPIC = b"anthropic-version"


def form_of(path: str, headers: Iterable[tuple[bytes, bytes]], query: bytes) -> Format:
    """The format of an ASGI request: `headers` as (lower-case name, value), `query` the raw query string."""
    zone = zone_of(path)
    if not zone.shared:
        return zone.form
    sent = {name for name, _ in headers}
    return _told_apart(zone.form, _GEMINI in sent or read_query_key(path, query) is not None, _ANTHROPIC in sent)


def form_of_request(request: HttpRequest) -> Format:
    """The same for a Django request."""
    zone = zone_of(request.path)
    if not zone.shared:
        return zone.form
    query = request.META.get("QUERY_STRING", "").encode()
    gemini = "x-goog-api-key" in request.headers or read_query_key(request.path, query) is not None
    return _told_apart(zone.form, gemini, "anthropic-version" in request.headers)


def _told_apart(plain: Format, gemini: bool, anthropic: bool) -> Format:
    if gemini:
        return Format.GEMINI
    return Format.ANTHROPIC if anthropic else plain

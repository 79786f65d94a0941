"""Compresses pages for whoever takes that: lists are a tenth of their size then.

Pages alone: an event stream would be held back and a program on this machine gains nothing. Whole answers alone, so
nothing that is sent piece by piece waits for a piece more. Django adds random bytes, and masks the token of its forms
anew each time, so that lengths tell nothing of what a page holds.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_SMALL: Final = 1_400
"""What fits into one packet as it is."""


class CompressPages(GZipMiddleware):
    """Whole answers of HTML."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        html = response.get("Content-Type", "").startswith("text/html")
        if not html or response.streaming or len(getattr(response, "content", b"")) < _SMALL:
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed

"""Middleware: finds out where a request came from, for the change log and for everything that counts by address."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from collections_app.whence import asked_from, judge_address


class RealAddress:
    """Comes first. `REMOTE_ADDR` is the judged address from here on; what a stranger forwarded is forgotten."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request with its address known to whatever is written for it."""
        forwarded = request.META.pop("HTTP_X_FORWARDED_FOR", "")
        address = judge_address(request.META.get("REMOTE_ADDR", ""), forwarded, settings.BENCH.trusted_proxies)
        request.META["REMOTE_ADDR"] = address
        with asked_from(address):
            return self.get_response(request)

"""Where clients find this installation."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """Where a client of this installation sends its requests, without a closing slash."""
    return settings.BENCH.public_url or f"{request.scheme}://{request.get_host()}"

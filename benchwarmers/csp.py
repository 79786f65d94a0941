"""The Content-Security-Policy of every page.

No page runs an inline script or an inline style, the admin's included; one that must may carry `request.csp_nonce`. No
page may ask another host.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import SimpleLazyObject

COMMON = (
    "default-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADER = "Content-Security-Policy"


class ContentSecurityPolicy:
    """Middleware: gives the request a nonce on demand and the answer its policy, unless the view set one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with the policy."""
        made: list[str] = []

        def nonce() -> str:
            made.append(secrets.token_urlsafe(16))
            return made[0]

        request.csp_nonce = SimpleLazyObject(nonce)  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.headers.setdefault(HEADER, _own(made))
        return response


def _own(made: list[str]) -> str:
    extra = f" 'nonce-{made[0]}'" if made else ""
    return f"{COMMON}; script-src 'self'{extra}; style-src 'self'{extra}"

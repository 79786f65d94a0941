"""Knows who a program under /api/ acts for: by a personal token, or by the admin's, and by nothing else.

A page's cookie opens nothing here, so that no other site can use it; and an answer is JSON even where Django's own
would be a page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from benchwarmers.version import version
from collections_app.actions.token import find_person
from gateway.api.zones import REST, zone_of

VERSION_HEADER: Final = "X-Benchwarmers-Version"
REALM: Final = 'Bearer realm="benchwarmers api"'
NONE_SENT: Final = "This needs a personal token: make one on the page Your account, and set BENCHWARMERS_TOKEN to it."
UNKNOWN: Final = "This token is unknown, revoked or over. Make one on the page Your account."
AWAY: Final = "The database does not answer. Ask again in a moment."
NO_ROUTE: Final = "There is no route {method} {path}."
"""The command line knows it by its beginning."""
WORDS: Final = {
    400: "The address cannot be read.",
    403: "You may not do that. Ask an admin for the right group.",
    404: "There is no such thing here, or it is not yours to see.",
    405: "This route has no such method.",
}


class TokenPerson:
    """Middleware, inside the one of sessions and outside the table of rights."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if zone_of(request.path) is not REST:
            return self.get_response(request)
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            return _refuse(401, NONE_SENT)
        try:
            person = person_of(secret.strip())
        except (OperationalError, InterfaceError):
            return _refuse(503, AWAY)
        if person is None:
            return _refuse(401, UNKNOWN)
        request.user = person
        response = self.get_response(request)
        if response.status_code >= 400 and not response.headers.get("Content-Type", "").startswith("application/json"):
            response = _refuse(response.status_code, _words(request, response.status_code))
        response.headers[VERSION_HEADER] = version().number
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def person_of(secret: str) -> User | None:
    """Whose token it is. The admin's own stands for the first superuser there is."""
    admin: str | None = settings.BENCH.admin_token
    if admin and secrets.compare_digest(secret.encode(), admin.encode()):
        return User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    return find_person(secret, timezone.now())


def _words(request: HttpRequest, status: int) -> str:
    """A route that there is not is told from a thing that there is not: clients newer than this server ask for some."""
    if status == 404 and request.resolver_match is None:
        return NO_ROUTE.format(method=request.method, path=request.path[:200])
    return WORDS.get(status, "The server failed; see its log.")


def _refuse(status: int, why: str) -> HttpResponse:
    response = JsonResponse({"ok": False, "errors": [why]}, status=status)
    if status == 401:
        response.headers["WWW-Authenticate"] = REALM
    return response

"""The middleware that holds every request for Django against the table of rights before its view runs.

Fails closed: a route without a row is 404 for everybody, and an error in the log. People without a session are led to
the sign-in page and back; whoever lacks a right that the whole route takes gets 403, or 404 where the address names
something, of which they learn nothing. A route for keys is left to its view, when that asks for one. What only some
may see is kept out of every cache.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers

from benchwarmers.dashboard.access import lead_to_sign_in
from benchwarmers.rights.rule import ANYONE, KEY, READING, Row, admits
from benchwarmers.rights.table import find_row
from gateway.api.authentication import KeyAuthentication

log = logging.getLogger(__name__)


class Rights:
    """Comes after the middleware that knows the person and whether a script asks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if getattr(request, "for_some", False):
            add_never_cache_headers(response)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        """None lets the view run."""
        match = request.resolver_match
        name = match.view_name if match else ""
        row = find_row(name)
        if row is None:
            log.error("The table of rights has no row for %r; the route is closed.", name)
            raise Http404
        rule = row.rule_for(str(request.method))
        if rule is None:
            return None if _refuses_itself(view, str(request.method)) else _not_allowed(row)
        if rule == ANYONE:
            return None
        if rule == KEY:
            if _asks_for_key(view):
                return None
            log.error("The table of rights wants a key for %r, and its view asks for none; the route is closed.", name)
            raise Http404
        request.for_some = True  # type: ignore[attr-defined]
        return _judge(request, rule, names_something=bool(kwargs))


def _judge(request: HttpRequest, rule: str, names_something: bool) -> HttpResponseBase | None:
    person: User | AnonymousUser = request.user
    if admits(rule, person):
        return None
    if not person.is_authenticated:
        return lead_to_sign_in(request)
    raise Http404 if names_something else PermissionDenied


def _asks_for_key(view: Any) -> bool:
    shape = getattr(view, "cls", None)
    if shape is None:
        return False
    asked = view.initkwargs.get("authentication_classes", shape.authentication_classes)
    return KeyAuthentication in asked


def _refuses_itself(view: Any, method: str) -> bool:
    """A view of the API says 405 in its caller's format, when it has no such method indeed."""
    shape = getattr(view, "cls", None)
    return shape is not None and not hasattr(shape, method.lower())


def _not_allowed(row: Row) -> HttpResponseNotAllowed:
    return HttpResponseNotAllowed(sorted(READING) if row.write is None else ["POST"])

"""Where programs are signed in. A view of the library is imported when it is first asked for: it brings two libraries
that most processes never need."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt

from benchwarmers.oauth.places import offered

app_name = "oauth"


@cache
def _view(name: str) -> Any:
    found: Any = import_string(f"benchwarmers.oauth.{name}")
    return found.as_view() if hasattr(found, "as_view") else found


def _later(route: str, name: str, view: str, **given: str) -> URLPattern:
    def imported(request: HttpRequest) -> HttpResponseBase:
        if not offered():
            raise Http404
        found: HttpResponseBase = _view(view)(request, **given)
        return found

    return path(route, csrf_exempt(imported), name=name)  # programs have no cookie; the page asks for its token itself


RESOURCE = ".well-known/oauth-protected-resource"
urlpatterns = [
    _later(RESOURCE, "resource", "described.resource"),
    _later(f"{RESOURCE}/mcp", "resource-mcp", "described.resource", path="/mcp"),
    _later(f"{RESOURCE}/v1/mcp", "resource-v1", "described.resource", path="/v1/mcp"),
    _later(".well-known/oauth-authorization-server", "server", "described.server"),
    _later("oauth/authorize", "authorize", "consent.Consent"),
    _later("oauth/token", "token", "tokens.Tokens"),
    _later("oauth/revoke", "revoke", "tokens.Revoke"),
    _later("oauth/register", "register", "registering.Register"),
]

"""The two documents that tell a program how it is signed in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from benchwarmers.oauth.places import base_of, describe_resource, describe_server


@require_safe
def resource(request: HttpRequest, path: str = "") -> HttpResponse:
    """RFC 9728, of the context protocol by the path it is asked at."""
    return JsonResponse(describe_resource(base_of(request), path))


@require_safe
def server(request: HttpRequest) -> HttpResponse:
    """RFC 8414."""
    return JsonResponse(describe_server(base_of(request)))

"""Refuses addresses with a NUL in them before anything looks a word of them up: Postgres holds none in a text, and
would end the request as a defect of ours."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest as BadPage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from gateway.api.errors import refusal
from gateway.api.speaker import form_of_request
from gateway.api.zones import REST, zone_of
from gateway.canon.fault import BadRequest

WHY = "The address holds a NUL character (%00), which no name or word here has; leave it out."


class NoNul:
    """Middleware. Programs get the refusal in their format, people the page of a bad request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\0" not in request.path and "%00" not in request.META.get("QUERY_STRING", ""):
            return self.get_response(request)
        zone = zone_of(request.path)
        if zone is REST:
            return JsonResponse({"ok": False, "errors": [WHY]}, status=400)
        if not zone.gateway:
            raise BadPage(WHY)
        answer = refusal(BadRequest(WHY), form_of_request(request))
        response = HttpResponse(answer.body, status=answer.status)
        for name, told in answer.headers:
            response[name.decode()] = told.decode()
        return response

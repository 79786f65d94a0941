"""Where programs make themselves known (RFC 7591). Open to everybody, so it is counted and bounded; nothing comes of a
registration until a person agrees."""

from __future__ import annotations

from typing import Any, Final

from allauth.idp.oidc.views import ClientRegistrationView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from benchwarmers.dashboard.throttle import may_happen
from collections_app.actions.signed_program import MOST_UNUSED, do_forget_programs, unused_clients

A_QUARTER: Final = 30
"""Registrations from one address in a quarter of an hour."""
CAP: Final = 16_384


class Register(ClientRegistrationView):  # type: ignore[misc]
    """POST alone."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.BENCH.sign_in.programs.register:
            raise Http404
        if len(request.body) > CAP:
            return _refuse(400, "invalid_client_metadata", f"A registration has at most {CAP:,} bytes.")
        if not may_happen("program", request.META.get("REMOTE_ADDR", ""), A_QUARTER):
            return _refuse(429, "temporarily_unavailable", "Too many registrations; try again in a quarter of an hour.")
        do_forget_programs(timezone.now())
        if unused_clients().count() >= MOST_UNUSED:
            return _refuse(429, "temporarily_unavailable", "Too many programs registered; try again in a day.")
        response: HttpResponse = super().post(request, *args, **kwargs)
        response.headers["Cache-Control"] = "no-store"
        return response


def _refuse(status: int, error: str, sentence: str) -> HttpResponse:
    return JsonResponse({"error": error, "error_description": sentence}, status=status)

"""The way to a provider and back, and allauth's views around it kept from falling over when a provider is away."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import requests
from allauth.socialaccount.providers.openid_connect import views
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

log = logging.getLogger(__name__)


@never_cache
@require_safe
def go(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Off to the provider, from a page of ours: another site may not start a sign-in."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return redirect("dashboard:login")
    return _guarded(views.login, request, provider_id)


@never_cache
@require_safe
def come_back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from the provider, with what it says."""
    return _guarded(views.callback, request, provider_id)


def _guarded(view: Callable[[HttpRequest, str], Any], request: HttpRequest, name: str) -> HttpResponse:
    if name not in {one.name for one in settings.BENCH.sign_in.providers}:
        raise Http404
    try:
        answer: HttpResponse = view(request, name)
    except (requests.RequestException, KeyError, ValueError) as error:  # unreachable, or not in the provider's format
        log.warning("The provider %s cannot be used: %s: %s", name, type(error).__name__, error)
        return render(request, "socialaccount/authentication_error.html", status=502)
    return answer

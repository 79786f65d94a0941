"""Leads people who are not signed in to the sign-in page and back. Who must be is in the table of rights.

A fragment asked for by script is told to load the sign-in page as a whole; a sign-in form must not land in a card.
"""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.middleware import HtmxDetails


class PersonRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def lead_to_sign_in(request: HttpRequest) -> HttpResponse:
    """What a request of nobody is answered where somebody must be signed in."""
    if htmx := cast(PersonRequest, request).htmx:
        shown = urlsplit(htmx.current_url or "/")
        response = HttpResponse(status=204)
        response["HX-Redirect"] = login_path(f"{shown.path}?{shown.query}" if shown.query else shown.path)
        return response
    return redirect(login_path(request.get_full_path() if request.method == "GET" else "/"))


def login_path(back_to: str) -> str:
    """The sign-in page that leads back to a path of ours."""
    return f"{reverse('dashboard:login')}?{urlencode({'next': back_to})}"

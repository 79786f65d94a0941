"""Brings what a person chose about the pages into each session that they begin."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest

from collections_app.models import Preference

THEME: Final = "theme"
"""Where the session keeps the theme, which goes before the cookie of the browser."""


def follow_signals() -> None:
    """Called once, when Django is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="benchwarmers.people.preferences")


def _signed_in(request: HttpRequest, user: User, **more: Any) -> None:
    theme = Preference.objects.filter(user=user).values_list("theme", flat=True).first()
    if theme and hasattr(request, "session"):
        request.session[THEME] = theme

"""What people choose about the pages for themselves. Nobody else's business, so the journal says nothing of it."""

from __future__ import annotations

from django.contrib.auth.models import User

from collections_app.models import Preference


def do_choose_theme(*, user: User, theme: str) -> None:
    """Remember the theme for wherever this person signs in."""
    Preference.objects.update_or_create(user=user, defaults={"theme": theme})

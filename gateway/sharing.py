"""Lets a panel be read by everybody who is signed in and has its address, or no longer."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from collections_app.journal import journal
from gateway.models import Panel


def do_share_panel(*, actor: User, panel: Panel, shared: bool, now: datetime) -> bool:
    """Whether anything changed. The caller has made sure that the panel is the actor's to share."""
    if (panel.shared_at is not None) == shared:
        return False
    with journal(actor, f"panel:{panel.pk}") as log:
        panel.shared_at = now if shared else None
        panel.save(update_fields=["shared_at"])
        log.note("panel", panel.pk, "shared", old=not shared, new=shared)
    return True

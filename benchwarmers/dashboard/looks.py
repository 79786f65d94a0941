"""What the pages tell the log of readings."""

from __future__ import annotations

from django.utils import timezone

from benchwarmers.dashboard.access import PersonRequest
from gateway.models import Conversation, Panel
from gateway.readings import note_look


def looked_at(request: PersonRequest, seen: Panel | Conversation, thing: str = "", name: str = "") -> None:
    """Somebody is about to be shown this, or the part of it that `thing` and `name` say."""
    note_look(request.user, thing or type(seen).__name__.lower(), name or seen.pk, seen, now=timezone.now())

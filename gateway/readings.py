"""Writes down who looked at the answers of somebody else. Every way to look, page or REST, goes through here."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User

from collections_app.whence import address_now
from gateway.models import Conversation, Panel, Reading

AGAIN: Final = timedelta(minutes=10)
"""Whoever looks at the same thing within this time has looked once."""
LOCAL: Final = "local"


def note_look(reader: User, thing: str, name: str, seen: Panel | Conversation, *, now: datetime) -> bool:
    """`reader` looked at `seen`, or at the part of it that `thing` and `name` say; whether a row was written.

    What is one's own is no reading, and neither is what a caller without a name asked.
    """
    if seen.owner_id == reader.pk or (seen.owner_id is None and seen.caller == LOCAL):
        return False
    whose = seen.owner.get_username() if seen.owner else seen.caller
    return _note(reader, thing, name, whose, now)


def note_export(reader: User, name: str, *, now: datetime) -> bool:
    """`reader` took a list of what many people did along as a file."""
    return _note(reader, "export", name, "everybody", now)


def _note(reader: User, thing: str, name: str, whose: str, now: datetime) -> bool:
    lately = Reading.objects.filter(at__gt=now - AGAIN, reader=reader, thing=thing, name=name)
    if lately.exists():
        return False
    Reading.objects.create(
        reader=reader,
        reader_name=reader.get_username(),
        address=address_now(),
        thing=thing,
        name=name,
        owner_name=whose,
    )
    return True

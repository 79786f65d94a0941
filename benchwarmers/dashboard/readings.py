"""Writes down who took what others used."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from collections_app.whence import address_now
from gateway.models import Reading, UsageDay

EXPORT: Final = "export"
_NAMED: Final = 5


def note_export(reader: User, name: str, exported: QuerySet[UsageDay]) -> Reading | None:
    """The line in the log of readings, where usage of anybody else is in what was exported; None where it is not."""
    owners = exported.exclude(owner_id__in=(0, reader.pk)).order_by().values("owner_id").distinct()
    others = list(User.objects.filter(pk__in=owners).order_by("username").values_list("username", flat=True))
    if not others and not owners.exists():
        return None
    return Reading.objects.create(
        reader=reader,
        reader_name=reader.get_username(),
        address=address_now(),
        thing=EXPORT,
        name=name[:64],
        owner_name=_tell(others)[:150],
    )


def _tell(names: list[str]) -> str:
    if not names:
        return "somebody deleted"
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")

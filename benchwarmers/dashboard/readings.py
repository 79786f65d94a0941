"""Writes down who took what others used."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from benchwarmers.sight import SEES_USAGE
from collections_app.whence import address_now
from gateway.models import Reading, UsageDay

EXPORT: Final = "export"
_NAMED: Final = 5


def note_export(reader: User, name: str, exported: QuerySet[UsageDay]) -> Reading | None:
    """The line in the log of readings, where usage of anybody else is in what was exported; None where it is not."""
    of_others = exported.exclude(owner_id__in=(0, reader.pk)).order_by()
    if reader.has_perm(SEES_USAGE):  # a look for each person, where nearly all sums are of others
        people = User.objects.filter(Exists(of_others.filter(owner_id=OuterRef("pk"))))
    else:
        people = User.objects.filter(pk__in=of_others.values("owner_id").distinct())
    others = list(people.order_by("username").values_list("username", flat=True))
    if not others and not of_others.exists():
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

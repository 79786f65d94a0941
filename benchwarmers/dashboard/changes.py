"""What the pages of the two logs read: who changed what, and who looked at the answers of somebody else. Never writes.

Sign-ins and addresses tell of people and not of the catalogue, so only those see them who may see the readings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date

from benchwarmers.dashboard.paging import Filters, Page, load_page
from benchwarmers.sign_in_log import SESSION
from collections_app.models import Change
from gateway.models import Reading

SEES_READINGS = "gateway.view_reading"
LONGEST_SHOWN = 400
CHUNK = 1_000

Row = TypeVar("Row", Change, Reading)


@dataclass(frozen=True, slots=True)
class LogFilters(Filters):
    """What a log is narrowed to. `text` is a part of the name; `since` and `until` are days, both counted."""

    who: str = ""
    thing: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def of_log(cls, query: QueryDict) -> LogFilters:
        """From the address; a day that is none does not narrow."""
        return cls(
            text=query.get("q", "").strip()[:200],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
            who=query.get("who", "").strip()[:150],
            thing=query.get("thing", "")[:32],
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
        )

    @property
    def narrows(self) -> bool:
        return bool(self.text or self.who or self.thing or self.since or self.until)

    def address(self, before: str = "", after: str = "", **more: str) -> str:
        pairs = {
            "who": self.who,
            "thing": self.thing,
            "q": self.text,
            "since": self.since.isoformat() if self.since else "",
            "until": self.until.isoformat() if self.until else "",
            "before": before,
            "after": after,
            **more,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    @property
    def as_csv(self) -> str:
        """The query string of all of it as a file."""
        return self.address(format="csv")

    @property
    def as_jsonl(self) -> str:
        return self.address(format="jsonl")


@dataclass(frozen=True, slots=True)
class Told:
    """A change as it is shown: `old` and `new` are (field, value) lines, the field empty for a value by itself."""

    change: Change
    what: str
    old: list[tuple[str, str]]
    new: list[tuple[str, str]]
    address: str


def visible_changes(person: User) -> QuerySet[Change]:
    """The changes that somebody who may see the log sees in it."""
    return Change.objects.all() if person.has_perm(SEES_READINGS) else Change.objects.exclude(thing=SESSION)


def narrowed(rows: QuerySet[Row], filters: LogFilters, who: str) -> QuerySet[Row]:
    """The rows that the filters leave; `who` is the field with the name of whoever did it."""
    if filters.who:
        rows = rows.filter(**{f"{who}__iexact": filters.who})
    if filters.thing:
        rows = rows.filter(thing=filters.thing)
    if filters.text:
        rows = rows.filter(name__icontains=filters.text)
    if filters.since:
        rows = rows.filter(at__gte=_moment(filters.since, time.min))
    if filters.until:
        rows = rows.filter(at__lte=_moment(filters.until, time.max))
    return rows


def load_changes(person: User, filters: LogFilters, size: int) -> Page[Change]:
    """The page of the change log that the filters and their cursor name, newest first."""
    return load_page(narrowed(visible_changes(person), filters, "actor_name"), "at", filters, size)


def load_readings(filters: LogFilters, size: int) -> Page[Reading]:
    """The page of the log of readings that the filters and their cursor name, newest first."""
    return load_page(narrowed(Reading.objects.all(), filters, "reader_name"), "at", filters, size)


def load_things(rows: QuerySet[Any]) -> list[str]:
    """The kinds of things there are in a log, by name."""
    return list(rows.order_by("thing").values_list("thing", flat=True).distinct())


def tell(change: Change, *, with_address: bool) -> Told:
    """A change with its values laid out."""
    what = change.field
    if not what and change.new is None:
        what = "removed"
    elif not what and change.old is None and isinstance(change.new, dict):
        what = "added"
    address = change.address if with_address else ""
    return Told(change, what, lay_out(change.old), lay_out(change.new), address)


def lay_out(value: Any) -> list[tuple[str, str]]:
    """A value in lines; nothing for no value, and a line a field for an object."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [(name, _text(one)) for name, one in value.items() if one not in (None, "", [], {})]
    return [("", _text(value))]


def in_chunks(rows: QuerySet[Row], size: int = CHUNK) -> Iterator[list[Row]]:
    """All rows, newest first, a query a chunk: what comes in meanwhile moves nothing."""
    last: Model | None = None
    while True:
        left = rows.order_by("-pk") if last is None else rows.filter(pk__lt=last.pk).order_by("-pk")
        if not (chunk := list(left[:size])):
            return
        yield chunk
        last = chunk[-1]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        text = value or "(empty)"
    elif isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        text = ", ".join(map(str, value)) or "(none)"
    else:
        text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _moment(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))

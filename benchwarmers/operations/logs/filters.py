"""The one filter over the page of logs, as it stands in the address."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date

SECTIONS: Final = ("calls", "changes", "runs", "onboarding")


@dataclass(frozen=True, slots=True)
class LogsFilters:
    """`text` is looked for in what a row shows; `since` and `until` are days, both counted; `trouble` leaves only what
    failed. `before` has the cursor of each section that is not at its head, `opened` the section to unfold."""

    text: str = ""
    since: date | None = None
    until: date | None = None
    trouble: bool = False
    opened: str = ""
    before: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, query: QueryDict) -> LogsFilters:
        """From the address; what cannot be meant does not narrow."""
        opened = query.get("open", "")
        cursors = {name: query.get(name, "")[:90] for name in SECTIONS}
        return cls(
            text=query.get("q", "").strip()[:200],
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
            trouble=query.get("only") == "trouble",
            opened=opened if opened in SECTIONS else "",
            before={name: cursor for name, cursor in cursors.items() if cursor},
        )

    @property
    def narrows(self) -> bool:
        """True when some rows are left out."""
        return bool(self.text or self.since or self.until or self.trouble)

    @property
    def here(self) -> str:
        """The query string of exactly this page."""
        return self._address(open=self.opened, **self.before)

    @property
    def whole(self) -> str:
        """The query string of the filter alone, without a place in any section."""
        return self._address()

    def page(self, section: str, before: str = "") -> str:
        """The query string with this section unfolded at a place in it, or at its head."""
        return self._address(open=section, **{section: before}) + f"#{section}"

    def part(self, section: str, before: str = "", form: str = "") -> str:
        """The query string of this section by itself, or of all of it as a file."""
        return self._address(section=section, format=form, **{section: before})

    def days(self, moment: str) -> Q:
        """What the days leave, by the time in this field."""
        found = Q()
        if self.since:
            found &= Q(**{f"{moment}__gte": _moment(self.since, time.min)})
        if self.until:
            found &= Q(**{f"{moment}__lte": _moment(self.until, time.max)})
        return found

    def _address(self, **more: str) -> str:
        pairs = {
            "q": self.text,
            "since": self.since.isoformat() if self.since else "",
            "until": self.until.isoformat() if self.until else "",
            "only": "trouble" if self.trouble else "",
            **more,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _moment(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))

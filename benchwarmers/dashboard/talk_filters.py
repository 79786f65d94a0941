"""What the list of conversations is narrowed to and in which order, as its address says it.

The list is read along the time of the last turn. What no index knows (words, a member, failovers) is looked for among
the newest LOOKED_AT that otherwise fit, so that a page costs the same over a million turns; the page says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.lookups import GreaterThan
from django.http import QueryDict

from benchwarmers.dashboard.json_length import JsonLength
from benchwarmers.dashboard.paging import Filters
from benchwarmers.sight import SEES_PANELS, visible_collections
from collections_app.models import LanguageModel
from gateway.models import Conversation, Turn

LOOKED_AT: Final = 2_000
DAYS: Final = (1, 7, 30, 90)
OLDEST: Final = "oldest"
LOCAL: Final = "~local"
"""In place of a name: callers without a key. No name has a tilde."""
OFFERED: Final = 200


@dataclass(frozen=True, slots=True)
class TalkFilters(Filters):
    """Empty strings, 0 and False do not narrow. `who` is a person's name or LOCAL; `days` the last so many."""

    who: str = ""
    member: str = ""
    failover: bool = False
    days: int = 0
    sort: str = ""

    @classmethod
    def of_talks(cls, query: QueryDict) -> TalkFilters:
        """From the address; what this list does not know does not narrow."""
        days = query.get("days", "")
        return cls(
            collection=query.get("collection", "")[:40],
            text=query.get("q", "").strip()[:200],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
            who=query.get("who", "")[:150],
            member=query.get("member", "").strip()[:64],
            failover=query.get("failover", "") == "1",
            days=int(days) if days in map(str, DAYS) else 0,
            sort=OLDEST if query.get("sort", "") == OLDEST else "",
        )

    @property
    def narrows(self) -> bool:
        return bool(self.collection or self.text or self.who or self.member or self.failover or self.days)

    @property
    def searches(self) -> bool:
        """True when something is looked for that no index knows."""
        return bool(self.text or self.member or self.failover)

    @property
    def rising(self) -> bool:
        return self.sort == OLDEST

    def address(self, before: str = "", after: str = "") -> str:
        return self._with(sort=self.sort, before=before, after=after)

    @property
    def turned(self) -> str:
        """The query string of the list in the other order."""
        return self._with(sort="" if self.rising else OLDEST)

    @property
    def as_csv(self) -> str:
        """The query string of all of it as a file."""
        return self._with(sort=self.sort, format="csv")

    def _with(self, **more: str) -> str:
        pairs = {
            "collection": self.collection,
            "q": self.text,
            "who": self.who,
            "member": self.member,
            "failover": "1" if self.failover else "",
            "days": str(self.days or ""),
            **more,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    def narrow(self, found: QuerySet[Conversation], now: datetime) -> QuerySet[Conversation]:
        """Those that fit."""
        if self.days:
            found = found.filter(last_at__gte=now - timedelta(days=self.days))
        if self.collection:
            found = found.filter(collection_name=self.collection)
        if self.who == LOCAL:
            found = found.filter(owner=None)
        elif self.who:
            found = found.filter(owner__username=self.who)
        return self._search(found) if self.searches else found

    def _search(self, found: QuerySet[Conversation]) -> QuerySet[Conversation]:
        moments = found.order_by("-last_at").values_list("last_at", flat=True)
        for beyond in moments[LOOKED_AT : LOOKED_AT + 1]:
            found = found.filter(last_at__gt=beyond)
        if self.text:
            found = found.filter(Q(task__icontains=self.text) | Q(id__icontains=self.text))
        turns = Turn.objects.filter(conversation=OuterRef("pk"))
        if self.member:
            found = found.filter(Exists(turns.filter(alias=self.member)))
        if self.failover:
            found = found.filter(Exists(turns.exclude(call="").filter(GreaterThan(JsonLength("tried"), 0))))
        return found


@dataclass(frozen=True, slots=True)
class Offers:
    """What there is to choose in the filters. `people` is empty for those who see only their own."""

    collections: list[str]
    people: list[str]
    members: list[str]


def load_offers(person: User) -> Offers:
    """Three queries, none of which looks at conversations."""
    collections = visible_collections(person).order_by("name").values_list("name", flat=True)
    people: list[str] = []
    if person.has_perm(SEES_PANELS):
        names = User.objects.filter(is_active=True).order_by("username").values_list("username", flat=True)
        people = list(names[:OFFERED])
    seated = LanguageModel.objects.filter(seatings__isnull=False).order_by("alias").values_list("alias", flat=True)
    return Offers(list(collections[:OFFERED]), people, list(seated.distinct()[:OFFERED]))

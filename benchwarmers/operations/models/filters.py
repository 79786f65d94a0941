"""What the list of models is narrowed to and in which order it stands, as an address says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict

from gateway.canon.kinds import ModelRole, ModelStatus

LIVE, ALL, GONE = "", "with", "only"
RETIRED: Final = (LIVE, ALL, GONE)
SORTS: Final = ("alias", "status", "endpoint", "role", "context", "price", "answered")
FALLING: Final = frozenset({"context", "answered"})
"""Columns whose first click shows the most, or the newest, first."""


@dataclass(frozen=True, slots=True)
class RosterFilters:
    """Empty strings do not narrow. `retired` is empty for those on the bench, `with` for all, `only` for the others;
    `sort` a column, with a hyphen before it for the other way round."""

    text: str = ""
    status: str = ""
    role: str = ""
    endpoint: str = ""
    connection: str = ""
    collection: str = ""
    retired: str = LIVE
    sort: str = "alias"
    page: int = 1

    @classmethod
    def read(cls, query: QueryDict) -> RosterFilters:
        """From the address; what it says amiss is passed over."""
        status, role, retired = query.get("status", ""), query.get("role", ""), query.get("retired", "")
        sort, page = query.get("sort", ""), query.get("page", "")
        return cls(
            text=query.get("q", "").strip()[:200],
            status=status if status in set(ModelStatus) else "",
            role=role if role in set(ModelRole) else "",
            endpoint=query.get("endpoint", "")[:32],
            connection=query.get("connection", "")[:100],
            collection=query.get("collection", "")[:40],
            retired=retired if retired in RETIRED else LIVE,
            sort=sort if sort.removeprefix("-") in SORTS else "alias",
            page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 6 and int(page) else 1,
        )

    @property
    def narrows(self) -> bool:
        """True when some models are left out that would be shown without."""
        return bool(self.text or self.status or self.role or self.endpoint or self.connection or self.collection)

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        pairs: dict[str, object] = {
            "q": self.text,
            "status": self.status,
            "role": self.role,
            "endpoint": self.endpoint,
            "connection": self.connection,
            "collection": self.collection,
            "retired": self.retired,
            "sort": "" if self.sort == "alias" else self.sort,
            "page": "" if self.page == 1 else self.page,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    def sorted_by(self, column: str) -> RosterFilters:
        """The same by this column; the other way round where it is already."""
        first = f"-{column}" if column in FALLING else column
        other = column if column in FALLING else f"-{column}"
        return replace(self, sort=other if self.sort == first else first, page=1)

    def at(self, page: int) -> RosterFilters:
        """The same, further on."""
        return replace(self, page=page)

    def condition(self) -> Q:
        """What a model must meet, but for the status, which may be that of a retirement."""
        met = Q()
        if self.text:
            met &= Q(alias__icontains=self.text) | Q(served__icontains=self.text) | Q(tag__icontains=self.text)
        if self.role:
            met &= Q(role=self.role)
        if self.endpoint:
            met &= Q(endpoint__name=self.endpoint)
        if self.connection:
            met &= (
                Q(tag=self.connection)
                | Q(tag__startswith=f"{self.connection}/")
                | Q(tag="", endpoint__name=self.connection)
            )
        if self.collection:
            met &= Q(seatings__collection__name=self.collection) | Q(merges_for__name=self.collection)
        return met & self._status()

    def _status(self) -> Q:
        if self.status == ModelStatus.RETIRED:
            return Q(retired_at__isnull=False)
        if self.status == ModelStatus.RETIRING:
            return Q(retired_at=None, retire_in__isnull=False)
        if self.status:
            return Q(retired_at=None, retire_in=None, status=self.status)
        match self.retired:
            case "with":
                return Q()
            case "only":
                return Q(retired_at__isnull=False)
            case _:
                return Q(retired_at=None)

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
RECORD, HEALTH = "", "health"
VIEWS: Final = (RECORD, HEALTH)
"""What the columns tell: what a model has done, or how it is."""
COLUMNS: Final = {
    RECORD: ("alias", "status", "role", "context", "can", "offloads", "helped", "suite", "reply", "answered"),
    HEALTH: ("alias", "status", "endpoint", "price", "pace", "days", "seats", "answered"),
}
SORTS: Final = (
    *("alias", "status", "role", "context", "offloads", "helped", "suite", "reply", "answered", "endpoint", "price"),
)
FALLING: Final = frozenset({"context", "offloads", "helped", "suite", "answered"})
"""Columns whose first click shows the most, or the newest, first."""
FIRST: Final = "-offloads"
PRICES: Final = ("free", "paid", "unknown")


@dataclass(frozen=True, slots=True)
class RosterFilters:
    """Empty strings do not narrow. `retired` is empty for those on the bench, `with` for all, `only` for the others;
    `view` one of VIEWS; `sort` a column, with a hyphen before it for the other way round."""

    text: str = ""
    status: str = ""
    role: str = ""
    endpoint: str = ""
    connection: str = ""
    collection: str = ""
    price: str = ""
    retired: str = LIVE
    view: str = RECORD
    sort: str = FIRST
    page: int = 1

    @classmethod
    def read(cls, query: QueryDict) -> RosterFilters:
        """From the address; what it says amiss is passed over."""
        status, role, retired = query.get("status", ""), query.get("role", ""), query.get("retired", "")
        sort, page, price, view = (query.get(name, "") for name in ("sort", "page", "price", "view"))
        return cls(
            text=query.get("q", "").strip()[:200],
            status=status if status in set(ModelStatus) else "",
            role=role if role in set(ModelRole) else "",
            endpoint=query.get("endpoint", "")[:32],
            connection=query.get("connection", "")[:100],
            collection=query.get("collection", "")[:40],
            price=price if price in PRICES else "",
            retired=retired if retired in RETIRED else LIVE,
            view=view if view in VIEWS else RECORD,
            sort=sort if sort.removeprefix("-") in SORTS else FIRST,
            page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 6 and int(page) else 1,
        )

    @property
    def narrows(self) -> bool:
        """True when some models are left out that would be shown without."""
        return any((self.text, self.status, self.role, self.endpoint, self.connection, self.collection, self.price))

    @property
    def column(self) -> str:
        """What the list is sorted by."""
        return self.sort.removeprefix("-")

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        return self._address()

    @property
    def as_csv(self) -> str:
        """The query string of all of it as a file."""
        return replace(self, page=1)._address(format="csv")

    @property
    def views(self) -> tuple[tuple[str, str, bool], ...]:
        """(name, query string, whether it is this one) of each set of columns."""
        return tuple((view or "record", replace(self, view=view)._address(), view == self.view) for view in VIEWS)

    def sorted_by(self, column: str) -> RosterFilters:
        """The same by this column; the other way round where it is already."""
        first = f"-{column}" if column in FALLING else column
        other = column if column in FALLING else f"-{column}"
        return replace(self, sort=other if self.sort == first else first, page=1)

    def at(self, page: int) -> RosterFilters:
        """The same, further on."""
        return replace(self, page=page)

    def condition(self) -> Q:
        """What a model must meet, but for the price, which its facts tell."""
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

    def decisions(self) -> Q | None:
        """What a decision model must meet; None where none can: they have no status, sit nowhere, never retire."""
        barred = self.status or self.collection or self.price in ("free", "paid") or self.retired == GONE
        if barred or self.role not in ("", ModelRole.DECISION):
            return None
        met = Q()
        if self.text:
            met &= Q(alias__icontains=self.text) | Q(served__icontains=self.text)
        for home in filter(None, (self.endpoint, self.connection)):
            met &= Q(via__name=home)
        return met

    def _address(self, **more: str) -> str:
        pairs: dict[str, object] = {
            "q": self.text,
            "status": self.status,
            "role": self.role,
            "endpoint": self.endpoint,
            "connection": self.connection,
            "collection": self.collection,
            "price": self.price,
            "retired": self.retired,
            "view": self.view,
            "sort": "" if self.sort == FIRST else self.sort,
            "page": "" if self.page == 1 else self.page,
            **more,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

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

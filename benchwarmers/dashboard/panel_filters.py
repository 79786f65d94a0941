"""What the list of panels is narrowed to and how it is sorted, as its address says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import QueryDict

from benchwarmers.dashboard.paging import STATES, Filters, write_cursor
from gateway.canon.kinds import Shape
from gateway.models import Panel

SHAPES: Final = tuple(shape.value for shape in Shape)
DAYS: Final = (1, 7, 30)
"""How many days back one can narrow to."""


@dataclass(frozen=True, slots=True)
class PanelFilters(Filters):
    """Empty values do not narrow. `mine` leaves out what others asked, `owed` all but where one owes verdicts, `days`
    counts back from now; `rising` has the oldest first."""

    shape: str = ""
    mine: bool = False
    owed: bool = False
    days: int = 0
    rising: bool = False

    @classmethod
    def read(cls, query: QueryDict, states: Sequence[str] = STATES) -> PanelFilters:
        """From the address; what there is not does not narrow."""
        state, shape, days = query.get("state", ""), query.get("shape", ""), query.get("days", "")
        return cls(
            collection=query.get("collection", "")[:40],
            state=state if state in states else "",
            text=query.get("q", "").strip()[:200],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
            shape=shape if shape in SHAPES else "",
            mine=query.get("whose") == "mine",
            owed=query.get("whose") == "owed",
            days=int(days) if days in map(str, DAYS) else 0,
            rising=query.get("sort") == "oldest",
        )

    @property
    def narrows(self) -> bool:
        """True when some rows are left out."""
        return bool(self.collection or self.state or self.text or self.shape or self.whose or self.days)

    @property
    def looks_through(self) -> bool:
        """True when rows must be looked at one by one, so that only the newest are."""
        return bool(self.text or self.shape)

    @property
    def whose(self) -> str:
        """Of whom, as the address says it."""
        return "owed" if self.owed else "mine" if self.mine else ""

    def address(self, before: str = "", after: str = "") -> str:
        """The query string of this list at another place."""
        pairs: dict[str, Any] = {
            "collection": self.collection,
            "shape": self.shape,
            "state": self.state,
            "whose": self.whose,
            "days": self.days,
            "q": self.text,
            "sort": "oldest" if self.rising else "",
            "before": before,
            "after": after,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    def below(self, last: Panel) -> PanelFilters:
        """The same list from below this row on."""
        return replace(self, before=write_cursor(last, "started_at"), after="")

    @property
    def turned(self) -> str:
        """The query string of this list from its other end."""
        return replace(self, rising=not self.rising).address()


SORTS: Final = {False: "descending", True: "ascending"}
"""What `aria-sort` says of the column of times."""

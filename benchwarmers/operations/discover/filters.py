"""What the list of offers is narrowed to, as an address says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict

from probes.catalog.reach import Reach

PRICES: Final = ("free", "paid")
INPUTS: Final = ("image", "pdf", "audio", "video")
CAN: Final = ("tools", "reasoning", "json")
LONGEST: Final = 200
LAST_PAGE: Final = 10_000


@dataclass(frozen=True, slots=True)
class OfferFilters:
    """Empty values do not narrow; what the page does not know does not either. `page` counts from 1."""

    text: str = ""
    price: str = ""
    reach: str = ""
    provider: str = ""
    new: bool = False
    inputs: tuple[str, ...] = ()
    can: tuple[str, ...] = ()
    page: int = 1

    @classmethod
    def read(cls, query: QueryDict) -> OfferFilters:
        """From the address."""
        price, reach, page = query.get("price", ""), query.get("reach", ""), query.get("page", "")
        return cls(
            text=query.get("q", "").strip()[:LONGEST],
            price=price if price in PRICES else "",
            reach=reach if reach in set(Reach) else "",
            provider=query.get("provider", "")[:64],
            new=query.get("new", "") == "1",
            inputs=tuple(kind for kind in INPUTS if kind in query.getlist("in")),
            can=tuple(one for one in CAN if one in query.getlist("can")),
            page=min(int(page), LAST_PAGE) if page.isascii() and page.isdigit() and len(page) < 10 and int(page) else 1,
        )

    @property
    def narrows(self) -> bool:
        """True when some rows are left out."""
        return replace(self, page=1) != OfferFilters()

    def address(self, page: int = 1) -> str:
        """The query string of another page of this list; empty for all of it."""
        pairs: list[tuple[str, str]] = [
            ("q", self.text),
            ("price", self.price),
            ("reach", self.reach),
            ("provider", self.provider),
            ("new", "1" if self.new else ""),
            *(("in", kind) for kind in self.inputs),
            *(("can", one) for one in self.can),
            ("page", str(page) if page > 1 else ""),
        ]
        query = urlencode([(name, value) for name, value in pairs if value])
        return f"?{query}" if query else ""

    @property
    def here(self) -> str:
        """The query string of exactly this page."""
        return self.address(self.page)

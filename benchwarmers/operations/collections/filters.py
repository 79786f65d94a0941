"""What the list of collections is narrowed to and in which order it stands, as an address says it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict

from collections_app.actions.collection import SHAPES
from gateway.canon.kinds import ReplyKind
from gateway.engine.snapshot import CollectionView

SORTS: Final = ("name", "members", "shape", "reply", "context", "asked")
FALLING: Final = frozenset({"members", "context", "asked"})
"""Columns whose first click shows the most, or the newest, first."""
OPEN: Final = "-"
"""As a shape: told by each request."""


@dataclass(frozen=True, slots=True)
class ShelfFilters:
    """Empty strings do not narrow. `sort` is a column, with a hyphen before it for the other way round."""

    text: str = ""
    reply: str = ""
    shape: str = ""
    tag: str = ""
    sort: str = "name"
    page: int = 1

    @classmethod
    def read(cls, query: QueryDict) -> ShelfFilters:
        """From the address; what it says amiss is passed over."""
        reply, shape = query.get("reply", ""), query.get("shape", "")
        sort, page = query.get("sort", ""), query.get("page", "")
        return cls(
            text=query.get("q", "").strip()[:200],
            reply=reply if reply in set(ReplyKind) else "",
            shape=shape if shape in (*SHAPES, OPEN) else "",
            tag=query.get("tag", "").strip().lower()[:24],
            sort=sort if sort.removeprefix("-") in SORTS else "name",
            page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 6 and int(page) else 1,
        )

    @property
    def narrows(self) -> bool:
        """True when some collections are left out."""
        return bool(self.text or self.reply or self.shape or self.tag)

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        return self._address(self.page)

    @property
    def export(self) -> str:
        """The query string of this list as a file."""
        pairs = {**self._pairs(1), "format": "csv"}
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    def sorted_by(self, column: str) -> ShelfFilters:
        """The same by this column; the other way round where it is already."""
        first = f"-{column}" if column in FALLING else column
        other = column if column in FALLING else f"-{column}"
        return replace(self, sort=other if self.sort == first else first, page=1)

    def at(self, page: int) -> ShelfFilters:
        """The same, further on."""
        return replace(self, page=page)

    def of_tag(self, tag: str) -> ShelfFilters:
        """All with this tag."""
        return ShelfFilters(tag=tag)

    def pass_(self, found: Iterable[CollectionView]) -> list[CollectionView]:
        """Those that are not left out."""
        return [view for view in found if self._fits(view)]

    def _fits(self, view: CollectionView) -> bool:
        shape = OPEN if not view.shape else view.shape
        if (self.reply and view.reply != self.reply) or (self.shape and shape != self.shape):
            return False
        if self.tag and self.tag not in view.tags:
            return False
        told = (view.name, view.full_name, view.description, view.merger, *view.tags, *view.members)
        return not self.text or any(self.text.lower() in one.lower() for one in told)

    def _address(self, page: int) -> str:
        return "?" + urlencode({name: value for name, value in self._pairs(page).items() if value})

    def _pairs(self, page: int) -> dict[str, object]:
        return {
            "q": self.text,
            "reply": self.reply,
            "shape": self.shape,
            "tag": self.tag,
            "sort": "" if self.sort == "name" else self.sort,
            "page": "" if page == 1 else page,
        }

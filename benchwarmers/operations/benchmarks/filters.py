"""What the pages of the suite are narrowed to, as an address says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict

from gateway.canon.kinds import TaskShape
from suite.models import Task
from suite.selectors import Which

SHAPES: Final[dict[str, str]] = {
    TaskShape.FINDING: "Findings",
    TaskShape.CLAIM: "Claims",
    TaskShape.SEEDED: "Planted changes",
    TaskShape.REAL: "Real bugs",
    TaskShape.NEEDLE: "Long context",
}
ORIGINS: Final = tuple(name for name, _ in Task.ORIGINS)
SORTS: Final = {
    "model": "Model",
    "answered": "Answered",
    "recall": "Recall",
    "precision": "Precision",
    "invention": "Inventing",
    "claims": "Claims",
    "hunts": "Bugs found",
    "controls": "False alarms",
    "wrong": "Confidently wrong",
    "cost": "Cost a finding",
    "pace": "Time a finding",
    "seconds": "Answer",
}
LAST_PAGE: Final = 10_000
SORTED: Final = "-recall"


@dataclass(frozen=True, slots=True)
class BenchFilters:
    """Empty values do not narrow; what the page does not know does not either. `first` and `second` are the models to
    compare. `sort` begins with a hyphen where it falls."""

    shape: str = ""
    origin: str = ""
    language: str = ""
    retired: bool = False
    sort: str = SORTED
    first: str = ""
    second: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> BenchFilters:
        """From the address."""
        shape, origin, sort = query.get("shape", ""), query.get("origin", ""), query.get("sort", "")
        return cls(
            shape=shape if shape in set(TaskShape) else "",
            origin=origin if origin in ORIGINS else "",
            language=query.get("language", "")[:16],
            retired=query.get("retired", "") == "1",
            sort=sort if sort.removeprefix("-") in SORTS else SORTED,
            first=query.get("first", "")[:64],
            second=query.get("second", "")[:64],
        )

    @property
    def which(self) -> Which:
        """The answers that count."""
        return Which(self.shape, self.origin, self.language, self.retired)

    @property
    def narrows(self) -> bool:
        return bool(self.shape or self.origin or self.language)

    @property
    def here(self) -> str:
        """The query string of exactly this page; empty for the plain one."""
        pairs = {name: getattr(self, name) for name in ("shape", "origin", "language", "first", "second")}
        pairs |= {"retired": "1" if self.retired else "", "sort": self.sort if self.sort != SORTED else ""}
        told = {name: value for name, value in pairs.items() if value}
        return f"?{urlencode(told)}" if told else ""

    def sorted_by(self, column: str) -> str:
        """The query string of this page sorted by a column: falling first, the other way when it is sorted so."""
        way = column if self.sort == f"-{column}" else f"-{column}"
        return replace(self, sort=way).here or "?sort=" + way


@dataclass(frozen=True, slots=True)
class TaskFilters:
    """What the list of tasks is narrowed to. `state` is asked, draft or dropped; empty is asked and draft together."""

    text: str = ""
    shape: str = ""
    origin: str = ""
    language: str = ""
    state: str = ""
    page: int = 1

    @classmethod
    def read(cls, query: QueryDict) -> TaskFilters:
        """From the address."""
        shape, origin, page = query.get("shape", ""), query.get("origin", ""), query.get("page", "")
        state = query.get("state", "")
        return cls(
            text=query.get("q", "").strip()[:200],
            shape=shape if shape in set(TaskShape) else "",
            origin=origin if origin in ORIGINS else "",
            language=query.get("language", "")[:16],
            state=state if state in ("asked", "draft", "dropped") else "",
            page=min(int(page), LAST_PAGE) if page.isascii() and page.isdigit() and int(page[:9]) > 0 else 1,
        )

    @property
    def narrows(self) -> bool:
        return replace(self, page=1) != TaskFilters()

    def at(self, page: int) -> str:
        """The query string of another page of this list."""
        pairs = {name: getattr(self, name) for name in ("shape", "origin", "language", "state")}
        told = {"q": self.text, **pairs, "page": str(page) if page > 1 else ""}
        return "?" + urlencode({name: value for name, value in told.items() if value})

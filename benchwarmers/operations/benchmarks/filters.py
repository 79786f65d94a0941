"""What the pages of the suite are narrowed to, as an address says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from benchwarmers.dashboard.pieces import page_number
from gateway.canon.kinds import TaskShape
from suite.models import Task
from suite.selectors import Which

SHAPES: Final[dict[str, Any]] = {
    TaskShape.FINDING: _("Findings"),
    TaskShape.CLAIM: _("Claims"),
    TaskShape.SEEDED: _("Planted changes"),
    TaskShape.REAL: _("Real bugs"),
    TaskShape.NEEDLE: _("Long context"),
}
ORIGINS: Final = tuple(name for name, _ in Task.ORIGINS)
SORTS: Final = {
    "model": _("Model"),
    "answered": _("Answered"),
    "recall": _("Recall"),
    "precision": _("Precision"),
    "invention": _("Inventing"),
    "claims": _("Claims"),
    "hunts": _("Bugs found"),
    "controls": _("False alarms"),
    "wrong": _("Confidently wrong"),
    "cost": _("Cost a finding"),
    "pace": _("Time a finding"),
    "seconds": _("Answer"),
}
SORTED: Final = "-recall"
VIEWS: Final = ("", "code", "table", "time")
"""What is shown: pictures, the grid of tasks, all figures, or scores over time."""
PARTS: Final = {
    "trust": 60,
    "sheets": 30,
    "hunt": 20,
    "work": 20,
    "wrong": 20,
    "outcomes": 20,
    "models": 30,
    "tasks": 40,
    "pace": 60,
    "deep": 30,
    "sweeps": 30,
}
"""What is paged by itself, with how many rows a page holds. `models` and `tasks` are columns and rows of the grid."""


@dataclass(frozen=True, slots=True)
class BenchFilters:
    """Empty values do not narrow; what the page does not know does not either. `text` is a part of models' names,
    `first` and `second` are the models to compare, in the table's view. `sort` begins with a hyphen where it falls.
    `pages` has the page of each of PARTS that is not at its first."""

    view: str = ""
    shape: str = ""
    origin: str = ""
    language: str = ""
    retired: bool = False
    text: str = ""
    sort: str = SORTED
    first: str = ""
    second: str = ""
    pages: tuple[tuple[str, int], ...] = ()

    @classmethod
    def read(cls, query: QueryDict) -> BenchFilters:
        """From the address."""
        shape, origin, sort = query.get("shape", ""), query.get("origin", ""), query.get("sort", "")
        view, first, second = query.get("view", ""), query.get("first", "")[:64], query.get("second", "")[:64]
        if view not in VIEWS or (not view and (first or second)):
            view = "table" if first or second else ""
        return cls(
            view=view,
            shape=shape if shape in set(TaskShape) else "",
            origin=origin if origin in ORIGINS else "",
            language=query.get("language", "")[:16],
            retired=query.get("retired", "") == "1",
            text=query.get("q", "").strip()[:64],
            sort=sort if sort.removeprefix("-") in SORTS else SORTED,
            first=first,
            second=second,
            pages=tuple((part, page) for part in PARTS if (page := page_number(query.get(part, ""))) > 1),
        )

    @property
    def which(self) -> Which:
        """The answers that count."""
        return Which(self.shape, self.origin, self.language, self.retired)

    @property
    def narrows(self) -> bool:
        return bool(self.shape or self.origin or self.language or self.text)

    @property
    def here(self) -> str:
        """The query string of exactly this page; empty for the plain one."""
        told = self._pairs()
        return f"?{urlencode(told)}" if told else ""

    def viewed(self, view: str) -> str:
        """The query string of another of VIEWS."""
        return replace(self, view=view, first="", second="", pages=()).here

    def file_of(self, part: str) -> str:
        """The query string of the file with all rows of a part."""
        return "?" + urlencode(replace(self, pages=())._pairs() | {"format": "csv", "of": part})

    def page_of(self, part: str) -> int:
        """The page of one of PARTS, from 1 on."""
        return dict(self.pages).get(part, 1)

    def at(self, part: str, page: int) -> str:
        """The query string of this page with another page of a part, leading there."""
        others = tuple((name, at) for name, at in self.pages if name != part)
        moved = replace(self, pages=(*others, (part, page)) if page > 1 else others)
        return f"{moved.here or '?'}#{'heat' if part in ('models', 'tasks') else part}"

    def _pairs(self) -> dict[str, str]:
        pairs = {name: getattr(self, name) for name in ("view", "shape", "origin", "language", "first", "second")}
        pairs |= {"q": self.text, "retired": "1" if self.retired else ""}
        pairs |= {"sort": self.sort if self.sort != SORTED else ""}
        pairs |= {part: str(page) for part, page in self.pages}
        return {name: value for name, value in pairs.items() if value}

    def sorted_by(self, column: str) -> str:
        """The query string of this page sorted by a column: falling first, the other way when it is sorted so."""
        way = column if self.sort == f"-{column}" else f"-{column}"
        pages = tuple((part, page) for part, page in self.pages if part != "sheets")
        return (replace(self, sort=way, pages=pages).here or "?sort=" + way) + "#sheets"


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
        shape, origin = query.get("shape", ""), query.get("origin", "")
        state = query.get("state", "")
        return cls(
            text=query.get("q", "").strip()[:200],
            shape=shape if shape in set(TaskShape) else "",
            origin=origin if origin in ORIGINS else "",
            language=query.get("language", "")[:16],
            state=state if state in ("asked", "draft", "dropped") else "",
            page=page_number(query.get("page", "")),
        )

    @property
    def narrows(self) -> bool:
        return replace(self, page=1) != TaskFilters()

    def at(self, page: int) -> str:
        """The query string of another page of this list."""
        pairs = {name: getattr(self, name) for name in ("shape", "origin", "language", "state")}
        told = {"q": self.text, **pairs, "page": str(page) if page > 1 else ""}
        return "?" + urlencode({name: value for name, value in told.items() if value})

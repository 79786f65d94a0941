"""The list of endpoints, each with its models: what fits the words that were typed, in which order. Reads only; it
costs as many queries for fifty endpoints with their models as for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict

from benchwarmers.operations.endpoints.selectors import EndpointLine, ModelLine, load_endpoints, model_line
from collections_app.models import DecisionModel, LanguageModel
from probes.models import Served

SORTS: Final = ("", "name", "-name", "models", "-models")
"""Empty is the default first, then by name."""
MOST: Final = 40
"""Models that a block of the page shows; the list of models has them all."""


@dataclass(frozen=True, slots=True)
class ListFilters:
    """What the address says. `text` is looked for in the models of every endpoint and in the endpoints' own names."""

    text: str = ""
    sort: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> ListFilters:
        """An order that is none is the usual one."""
        sort = query.get("sort", "")
        return cls(query.get("q", "").strip()[:200], sort if sort in SORTS else "")

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        return self._address()

    @property
    def as_csv(self) -> str:
        """The query string of the same as a file."""
        return self._address(format="csv")

    def sorted_by(self, column: str) -> ListFilters:
        """The same by this column; the other way round where it is already."""
        first, other = (f"-{column}", column) if column == "models" else (column, f"-{column}")
        return replace(self, sort=other if self.sort == first else first)

    def way(self, column: str) -> str:
        """How this column is sorted, as `aria-sort` says it; empty where it is not."""
        if self.sort.removeprefix("-") != column:
            return ""
        return "descending" if self.sort.startswith("-") else "ascending"

    def _address(self, **more: str) -> str:
        pairs = {"q": self.text, "sort": self.sort, **more}
        told = urlencode({name: value for name, value in pairs.items() if value})
        return f"?{told}" if told else ""


@dataclass(frozen=True, slots=True)
class Block:
    """An endpoint and those of its models that fit, on the bench first; `decisions` decide and have no status."""

    line: EndpointLine
    models: Sequence[ModelLine]
    decisions: Sequence[DecisionModel]

    @property
    def count(self) -> int:
        """How many models fit."""
        return len(self.models) + len(self.decisions)

    @property
    def shown(self) -> Sequence[ModelLine]:
        """As many as a page has room for."""
        return self.models[:MOST]


def load_blocks(filters: ListFilters, now: datetime) -> list[Block]:
    """Every endpoint with its models; with words, only those that they fit."""
    lines = load_endpoints(now)
    wanted, decides = Q(), Q()
    if filters.text:
        named = Q(alias__icontains=filters.text) | Q(served__icontains=filters.text)
        wanted = named | Q(tag__icontains=filters.text) | Q(endpoint__name__icontains=filters.text)
        decides = named | Q(via__name__icontains=filters.text)
    models: dict[int, list[ModelLine]] = {}
    for one in _models(wanted):
        models.setdefault(one.model.endpoint_id, []).append(one)
    decisions: dict[int, list[DecisionModel]] = {}
    for decision in DecisionModel.objects.filter(decides).order_by("alias"):
        decisions.setdefault(decision.via_id, []).append(decision)
    blocks = [Block(line, models.get(line.row.pk, []), decisions.get(line.row.pk, [])) for line in lines]
    if filters.text:
        words = filters.text.casefold()
        blocks = [one for one in blocks if one.count or words in one.line.row.name.casefold()]
    return _in_order(blocks, filters.sort)


def _models(wanted: Q) -> list[ModelLine]:
    rows = list(LanguageModel.objects.filter(wanted).select_related("endpoint").order_by("retired_at", "alias"))
    rows.sort(key=lambda row: row.retired)  # the databases differ in where they put what has no time
    ours = LanguageModel.objects.order_by().values("served")
    seen = {(one.endpoint_id, one.served): one for one in Served.objects.filter(served__in=ours)}
    return [model_line(row, seen.get((row.endpoint_id, row.served))) for row in rows]


def _in_order(blocks: list[Block], sort: str) -> list[Block]:
    match sort.removeprefix("-"):
        case "name":
            return sorted(blocks, key=lambda one: one.line.row.name, reverse=sort.startswith("-"))
        case "models":
            return sorted(blocks, key=lambda one: one.count, reverse=sort.startswith("-"))
        case _:
            return blocks

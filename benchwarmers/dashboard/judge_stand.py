"""Where somebody stands in the queue of verdicts, as the address says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from benchwarmers.dashboard.judge import Narrowed
from benchwarmers.dashboard.panel_filters import DAYS, SHAPES


@dataclass(frozen=True, slots=True)
class Stand:
    """`at` names the answer, by its call or by its reader's handle; `everybody` asks about the panels of all."""

    at: str = ""
    everybody: bool = False
    narrowed: Narrowed = field(default_factory=Narrowed)

    @classmethod
    def read(cls, query: QueryDict) -> Stand:
        """From the address; what there is not does not narrow."""
        shape, days = query.get("shape", ""), query.get("days", "")
        narrowed = Narrowed(
            collection=query.get("collection", "")[:32],
            shape=shape if shape in SHAPES else "",
            days=int(days) if days in map(str, DAYS) else 0,
        )
        return cls(query.get("at", "")[:64], query.get("whose") == "all", narrowed)

    def address(self, path: str = "", **other: str | bool) -> str:
        """The address of this place, or of another one near it."""
        stand = replace(self, **other)  # type: ignore[arg-type]
        narrowed = stand.narrowed
        pairs: Mapping[str, Any] = {
            "at": stand.at,
            "whose": "all" if stand.everybody else "",
            "collection": narrowed.collection,
            "shape": narrowed.shape,
            "days": narrowed.days,
        }
        query = urlencode({name: value for name, value in pairs.items() if value})
        return (path or reverse("dashboard:judge")) + (f"?{query}" if query else "")

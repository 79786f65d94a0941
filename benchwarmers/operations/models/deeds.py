"""What one model did and what was done about it: what people say of its work, its newest calls, what it cost, and the
changes to its record. Reads only, of what the reader may see; nothing counts all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Sum

from benchwarmers.dashboard.changes import Told, tell, visible_changes
from benchwarmers.operations.models.lines import Record, Recorded, record_of
from benchwarmers.sight import visible_calls, visible_collections, visible_panels, visible_usage
from collections_app.models import AliasHistory, LanguageModel, Standing
from gateway.models import Call, Seat

NEWEST: Final = 12
"""Calls, and changes."""
COST_DAYS: Final = 30
SEES_CHANGES: Final = "collections_app.view_change"


@dataclass(frozen=True, slots=True)
class StandingLine(Recorded):
    """What people say of its work: over all of it, in a collection or of a shape."""

    collection: str
    shape: str
    record: Record
    standing: Standing


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call, and the panel that it was a seat of, empty where it was none or may not be seen."""

    call: Call
    panel: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Of the last COST_DAYS days; `cost` in nano-dollars, over the calls whose price is known."""

    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost: int
    unpriced: int


@dataclass(frozen=True, slots=True)
class Deeds:
    """`history` is None for whoever may not see changes."""

    standings: Sequence[StandingLine]
    calls: Sequence[CallLine]
    spent: Spent
    history: Sequence[Told] | None

    @property
    def places(self) -> list[StandingLine]:
        """Over all its work, and in each collection."""
        return [line for line in self.standings if not line.shape]

    @property
    def shapes(self) -> list[StandingLine]:
        """The same by the shape of the work."""
        return [line for line in self.standings if line.shape]


def load_deeds(person: User, model: LanguageModel, today: date) -> Deeds:
    """All of one model. Eight queries at most."""
    return Deeds(
        standings=_standings(person, model),
        calls=_calls(person, model),
        spent=_spent(person, model.alias, today),
        history=load_history(person, "model", _names(model.alias)),
    )


def load_history(person: User, thing: str, names: Sequence[str]) -> list[Told] | None:
    """The newest changes to what has, or had, one of these names."""
    if not person.has_perm(SEES_CHANGES):
        return None
    rows = visible_changes(person).filter(thing=thing, name__in=names).order_by("-at", "-id")[:NEWEST]
    return [tell(row, with_address=False) for row in rows]


def _standings(person: User, model: LanguageModel) -> list[StandingLine]:
    """Over all first, then by collection, each with its shapes; those of teams of others are left out."""
    seen = set(visible_collections(person).values_list("name", flat=True))
    rows = Standing.objects.filter(language_model=model).order_by("collection_name", "shape")
    return [
        StandingLine(row.collection_name, row.shape, record_of(row), row)
        for row in rows
        if (not row.collection_name or row.collection_name in seen) and (row.offloads or row.judged)
    ]


def _calls(person: User, model: LanguageModel) -> list[CallLine]:
    found = visible_calls(person).filter(alias=model.alias).order_by("-at").defer("notes")[:NEWEST]
    calls = list(found)
    seats = Seat.objects.filter(call__in=[one.seat for one in calls if one.seat], panel__in=visible_panels(person))
    panels = dict(seats.order_by().values_list("call", "panel_id"))
    return [CallLine(one, panels.get(one.seat, "")) for one in calls]


def _spent(person: User, alias: str, today: date) -> Spent:
    rows = visible_usage(person).filter(alias=alias, day__gt=today - timedelta(days=COST_DAYS), day__lte=today)
    names = ("calls", "failed", "tokens_in", "tokens_out", "cost", "unpriced")
    sums = rows.order_by().aggregate(**{name: Sum(name) for name in names})
    return Spent(**{name: sums[name] or 0 for name in names})


def _names(alias: str) -> list[str]:
    """Its alias, and those that it had before."""
    before: dict[str, list[str]] = {}
    for old, new in AliasHistory.objects.values_list("old", "new"):
        before.setdefault(new, []).append(old)
    names = [alias]
    for name in names:
        names.extend(one for one in before.get(name, ()) if one not in names)
    return names

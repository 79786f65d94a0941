"""The line-ups of the collections that are asked most, each member with what people say of it there. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from benchwarmers.operations.home.squad import Squad
from benchwarmers.operations.models.lines import Record, Recorded, record_of
from benchwarmers.sight import visible_collections
from collections_app.models import Collection, LanguageModel, Seating

MOST: Final = 6


@dataclass(frozen=True, slots=True)
class Member(Recorded):
    """A seat of the line-up, from 1."""

    place: int
    model: LanguageModel
    record: Record

    @property
    def words(self) -> str:
        """What is known of it there."""
        if self.interval is None:
            return _("not judged yet")
        low, high = round(100 * self.interval.low), round(100 * self.interval.high)
        told = {"count": self.record.judged, "low": low, "high": high}
        return _("%(count)d judged, between %(low)d and %(high)d %% useful") % told


@dataclass(frozen=True, slots=True)
class LineUp:
    """A collection and its members in their order."""

    collection: Collection
    members: Sequence[Member]


@dataclass(frozen=True, slots=True)
class LineUps:
    """The first of them, and how many there are in all."""

    shown: Sequence[LineUp]
    total: int


def load_chosen(person: User, busy: Sequence[str]) -> tuple[list[Collection], int]:
    """The collections whose line-ups are shown, those of `busy` first, in its order, then by name; and how many there
    are. One query."""
    order = {name: place for place, name in enumerate(busy)}
    rows = sorted(visible_collections(person), key=lambda row: (order.get(row.name, len(order)), row.name))
    return rows[:MOST], len(rows)


def load_lineups(chosen: Sequence[Collection], total: int, squad: Squad) -> LineUps:
    """Who sits in them. One query."""
    members: dict[int, list[Member]] = defaultdict(list)
    names = {row.pk: row.name for row in chosen}
    seatings = Seating.objects.filter(collection__in=names).order_by("collection_id", "place")
    for collection, model, place in seatings.values_list("collection_id", "language_model_id", "place"):
        if model in squad.models:
            record = squad.records.get((names[collection], model)) or record_of(None)
            members[collection].append(Member(place, squad.models[model], record))
    return LineUps([LineUp(row, members[row.pk]) for row in chosen], total)

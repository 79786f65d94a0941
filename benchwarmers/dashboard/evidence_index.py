"""The list of collections with evidence: how much was judged in each, and how useful it was. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Sum

from benchwarmers.sight import SEES_PANELS, visible_panels
from collections_app.intervals import Interval, wilson
from collections_app.models import Collection, Standing


@dataclass(frozen=True, slots=True)
class Judgedness:
    """One collection: the models that worked there, their work, how much of it was judged, and the share useful."""

    name: str
    models: int = 0
    work: int = 0
    judged: int = 0
    useful: Interval | None = None

    @property
    def ends(self) -> tuple[float, float, float]:
        """Where the range begins, its middle and its end, on a line of 100."""
        one = self.useful or Interval(0.0, 0.0, 0.0)
        return round(one.low * 100, 1), round(one.share * 100, 1), round(one.high * 100, 1)


def load_index(person: User) -> list[Judgedness]:
    """The collections of which this person sees panels, those with most judged work first. Sums over everybody's work
    are for those who see everybody's panels. Two queries."""
    if not person.has_perm(SEES_PANELS):
        names = visible_panels(person).exclude(collection_name="").order_by().values_list("collection_name", flat=True)
        return [Judgedness(name) for name in sorted(set(names.distinct()))]
    rows = Standing.objects.exclude(collection_name="").filter(shape="").order_by().values_list("collection_name")
    sums = rows.annotate(Count("id"), Sum("offloads"), Sum("judged"), Sum("useful"))
    found = {row[0]: Judgedness(row[0], row[1], row[2], row[3], wilson(row[4], row[3])) for row in sums}
    every = {name: found.get(name, Judgedness(name)) for name in Collection.objects.values_list("name", flat=True)}
    return sorted(every.values(), key=lambda one: (-one.judged, -one.work, one.name))

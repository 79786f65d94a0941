"""Reads the standings for a Snapshot: who worked when, and what was said of it. Sync."""

from __future__ import annotations

from django.utils import timezone
from msgspec import Struct, field

from collections_app.decay import Lately
from collections_app.models import Standing
from gateway.engine.snapshot import Votes


class Records(Struct):
    """What the standings say, by the names that a Snapshot has for it."""

    last_work: dict[str, float] = field(default_factory=dict)
    useful: dict[str, float] = field(default_factory=dict)
    not_useful: dict[str, float] = field(default_factory=dict)
    by_shape: dict[str, dict[str, Votes]] = field(default_factory=dict)
    lately: dict[str, dict[str, Votes]] = field(default_factory=dict)


def load_records(half_life_days: float) -> Records:
    """The standings over all collections, the decayed sums as they stand by now."""
    found, now = Records(), timezone.now()
    rows = Standing.objects.filter(collection_name="").order_by()
    # Plain values: there are several rows a model, and this is read every few seconds.
    worked = rows.filter(shape="").values_list("language_model__alias", "last_work_at")
    found.last_work = {alias: at.timestamp() for alias, at in worked if at is not None}
    judged = rows.filter(judged__gt=0).values_list(
        "language_model__alias", "shape", "useful", "judged", "lately_useful", "lately_judged", "lately_at"
    )
    for alias, shape, useful, number, late_useful, late_judged, late_at in judged.iterator(chunk_size=2000):
        not_useful = max(number - useful, 0.0)
        if shape:
            found.by_shape.setdefault(shape, {})[alias] = Votes(useful, not_useful)
        else:
            found.useful[alias], found.not_useful[alias] = useful, not_useful
        sums = Lately(late_useful, late_judged, late_at).told_at(now, half_life_days)
        found.lately.setdefault(shape, {})[alias] = Votes(sums.useful, max(sums.not_useful, 0.0))
    return found

"""The places of members in collections: who sits where, and how a model gives its places up. Part of other actions."""

from __future__ import annotations

from collections_app.journal import Journal
from collections_app.models import Collection, LanguageModel


def members_of(collection: Collection) -> list[str]:
    """The aliases of its members, in order."""
    return list(collection.seatings.order_by("place").values_list("language_model__alias", flat=True))


def vacate(log: Journal, model: LanguageModel) -> dict[str, list[str]]:
    """Take the model out of every collection, as member and as merger; the result says which parts it had, by
    collection.
    """
    former: dict[str, list[str]] = {}
    for seating in list(model.seatings.select_related("collection")):
        collection = seating.collection
        former.setdefault(collection.name, []).append("members")
        before = members_of(collection)
        seating.delete()
        _close_ranks(collection)
        log.note("collection", collection.name, "members", old=before, new=members_of(collection))
    for collection in model.merges_for.all():
        former.setdefault(collection.name, []).append("merger")
        log.note("collection", collection.name, "merger", old=model.alias, new="")
    model.merges_for.update(merger=None)
    return former


def _close_ranks(collection: Collection) -> None:
    """Number the places from 1 again."""
    for place, seating in enumerate(collection.seatings.order_by("place"), start=1):
        if seating.place != place:
            seating.place = place
            seating.save(update_fields=["place"])

"""Puts models into a collection that is there already."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from collections_app.actions.collection import do_save_collection
from collections_app.actions.seats import members_of
from collections_app.journal import require
from collections_app.models import Collection
from collections_app.refusal import NotThere, Refused
from gateway.canon.names import PREFIX


def do_add_members(*, actor: User | None, name: str, aliases: Sequence[str]) -> list[str]:
    """Seat these models after the members there are; those that sit there already stay where they are. The aliases that
    were added.

    :raises Refused: there is no such collection, it has no room for all of them, or one of them cannot be a member.
    """
    require(actor, "collections_app.change_collection", "change collections")
    name = name.strip().removeprefix(PREFIX)
    row = Collection.objects.filter(name=name).select_related("merger", "team").first()
    if row is None:
        raise NotThere([("collection", f"There is no collection “{name}”.")])
    members = members_of(row)
    added = [alias for alias in dict.fromkeys(aliases) if alias not in members]
    if not added:
        raise Refused([("members", f"They are all in bench/{name} already.")])
    do_save_collection(
        actor=actor,
        name=name,
        members=[*members, *added],
        shape=row.shape,
        reply=row.reply,
        merger=row.merger.alias if row.merger else "",
        description=row.description,
        tags=row.tags,
        ranking=row.ranking,
        cooldown=row.cooldown,
        on_disconnect=row.on_disconnect,
        shadow=row.shadow,
        max_explorers=row.max_explorers,
        team=row.team.name if row.team else "",
    )
    return added

"""After a connection of Open WebUI got another prefix: points registered models at the names they are served by now.

A model is moved when its present name is no longer listed and the name with the new prefix is, from that connection as
far as the hub tells. Aliases and evidence stay: it is the same model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct

from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Refused
from probes.health.repoint import do_follow_rename
from probes.hubs import known
from probes.hubs.base import CONNECTION
from probes.listing import Listed, list_models


class Move(Struct, frozen=True):
    """One model's names: before and now."""

    alias: str
    before: str
    now: str


class Renaming(Struct, frozen=True):
    """`moves` are made, or would be; `kept` says of other models whose name is gone why they stay as they are."""

    moves: tuple[Move, ...]
    kept: tuple[str, ...] = ()


def decide_moves(
    registered: Mapping[str, str], listed: Mapping[str, str], connection: str, prefix: str, former: str = ""
) -> Renaming:
    """Pure. `registered` is alias to served id of the connection's models, `listed` the connection of each listed id,
    empty where the hub does not tell. `former` is the prefix that it had; an empty `prefix` takes that away."""
    taken, moves, kept = set(registered.values()), [], []
    for alias, served in sorted(registered.items()):
        if served in listed:
            continue
        bare = served.removeprefix(f"{former}.") if former else served
        now = f"{prefix}.{bare}" if prefix else bare
        if now not in listed:
            kept.append(f"{alias}: the hub lists neither {served} nor {now}")
        elif listed[now] not in ("", connection):
            kept.append(f"{alias}: {now} comes from {listed[now]}, not from {connection}")
        elif now in taken:
            kept.append(f"{alias}: {now} is registered already")
        else:
            moves.append(Move(alias, served, now))
    return Renaming(tuple(moves), tuple(kept))


def rename_prefix(
    endpoint: Endpoint,
    connection: str,
    prefix: str,
    *,
    former: str = "",
    apply: bool,
    actor: User | None,
    lister: Callable[[Endpoint], list[Listed]] = list_models,
) -> Renaming:
    """What would be moved, and with `apply` moves it: all or nothing.

    :raises Refused: the endpoint is no Open WebUI, or the prefix cannot be one.
    :raises UpstreamFault: the hub could not be asked.
    """
    if endpoint.hub != "openwebui":
        raise Refused([("endpoint", f"{endpoint.name} is no Open WebUI; only its connections have such prefixes.")])
    for said in filter(None, (prefix, former)):
        if CONNECTION.fullmatch(said) is None:
            raise Refused([("prefix", f"{said[:40]!r} is no prefix: letters, digits, dots, hyphens and underscores.")])
    listing = lister(endpoint)
    homes = known.tags_of(endpoint, listing)
    listed = {one.served: homes[one.served].tag.split("/", 1)[0] if one.served in homes else "" for one in listing}
    renaming = decide_moves(_registered(endpoint, connection), listed, connection, prefix, former)
    if apply and renaming.moves:
        with transaction.atomic():
            for move in renaming.moves:
                do_follow_rename(actor=actor, alias=move.alias, served=move.now)
    return renaming


def _registered(endpoint: Endpoint, connection: str) -> dict[str, str]:
    live = LanguageModel.objects.filter(endpoint=endpoint, retired_at=None).select_related("endpoint")
    return {row.alias: row.served for row in live if row.connection == connection}

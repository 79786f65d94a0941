"""After a connection of Open WebUI got another prefix: points registered models at the names they are served by now.

A model is moved when its present name is no longer listed and the name with the new prefix is, from that connection.
Aliases and evidence stay: it is the same model.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct

from collections_app.actions.hub import do_repoint_models
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Refused
from probes.hubs import known
from probes.hubs.base import CONNECTION, Tagged
from probes.hubs.store import move_served
from probes.listing import list_models


class Move(Struct, frozen=True):
    """One model's names: before and now."""

    alias: str
    before: str
    now: str


class Renaming(Struct, frozen=True):
    """`moves` are made, or would be; `kept` says of other models of the connection why they stay as they are."""

    moves: tuple[Move, ...]
    kept: tuple[str, ...] = ()


def decide_moves(
    registered: Mapping[str, str], listed: Mapping[str, Tagged], connection: str, prefix: str, former: str = ""
) -> Renaming:
    """Pure. `registered` is alias to served id of the hub's models, `listed` where each listed id comes from; `former`
    is the prefix that the connection had. An empty `prefix` takes the former one away."""
    taken, moves, kept = set(registered.values()), [], []
    for alias, served in sorted(registered.items()):
        if served in listed:
            continue
        bare = served.removeprefix(f"{former}.") if former else served
        now = f"{prefix}.{bare}" if prefix else bare
        home = listed.get(now)
        if home is None:
            if former and served != bare:
                kept.append(f"{alias}: the hub lists neither {served} nor {now}.")
        elif home.tag.split("/", 1)[0] != connection:
            kept.append(f"{alias}: {now} comes from {home.tag.split('/', 1)[0]}, not from {connection}.")
        elif now in taken:
            kept.append(f"{alias}: {now} is registered already.")
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
    now: datetime,
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
    listing = list_models(endpoint)
    tags = known.tags_of(endpoint, listing)
    listed = {one.served: tags.get(one.served, Tagged("", one.served)) for one in listing}
    renaming = decide_moves(_registered(endpoint), listed, connection, prefix, former)
    if apply and renaming.moves:
        with transaction.atomic():
            do_repoint_models(actor=actor, endpoint=endpoint, moves={one.alias: one.now for one in renaming.moves})
            move_served(endpoint, {one.before: one.now for one in renaming.moves}, now)
    return renaming


def _registered(endpoint: Endpoint) -> dict[str, str]:
    live = LanguageModel.objects.filter(endpoint=endpoint, retired_at__isnull=True)
    return dict(live.values_list("alias", "served"))

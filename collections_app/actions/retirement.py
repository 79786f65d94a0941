"""Takes models off the bench and puts them back. The row and its evidence stay; only the seats are given up."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.alert import clear_alerts_about
from collections_app.actions.language_model import TOPIC, load_model
from collections_app.actions.seats import members_of, vacate
from collections_app.journal import LOCAL, journal, require
from collections_app.models import Collection, LanguageModel, Seating, Setting
from collections_app.refusal import Refused


def do_retire_model(
    *, actor: User | None, alias: str, why: str = "", by: str = "", now: datetime | None = None
) -> LanguageModel:
    """Retire the model: it leaves every collection, as member and as merger, and the places it had are remembered. What
    was wrong with it needs no action any more. Role, options and evidence stay.

    `by` defaults to the actor's name; the installation retires as `auto`. A model that is retired already is left as it
    is.
    """
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "retire models")
    if row.retired:
        return row
    with journal(actor, TOPIC, by=by or LOCAL) as log:
        former = vacate(log, row)
        row.retired_at = now or timezone.now()
        row.retired_by = by or log.actor_name
        row.retired_why = " ".join(why.split())[:300] or "no reason given"
        row.former = former
        row.retire_in = None
        row.save()
        clear_alerts_about(row)
        log.note("model", row.alias, "retired", old=None, new=row.retired_why)
    return row


def do_retire_many(
    *, actor: User | None, aliases: Iterable[str], why: str = "", now: datetime | None = None
) -> tuple[list[str], list[tuple[str, str]]]:
    """Retire them one by one: (those that are retired now, (alias, why not) of each that was refused).

    :raises NotAllowed: the actor may not retire models at all.
    """
    require(actor, "collections_app.change_languagemodel", "retire models")
    done: list[str] = []
    refused: list[tuple[str, str]] = []
    for alias in dict.fromkeys(aliases):
        try:
            done.append(do_retire_model(actor=actor, alias=alias, why=why, now=now).alias)
        except Refused as refusal:
            refused.append((alias, str(refusal)))
    return done, refused


def do_restore_model(*, actor: User | None, alias: str, now: datetime | None = None) -> LanguageModel:
    """Put a retired model back, and into each collection it came from that still exists and has room for it. What it
    failed at before does not count against it any more.

    :raises Refused: it is not retired, or its endpoint serves the same under another alias.
    """
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "restore models")
    if not row.retired:
        raise Refused([("alias", f"{row.alias} is not retired.")])
    twin = LanguageModel.objects.filter(served=row.served, endpoint=row.endpoint, retired_at__isnull=True).first()
    if twin is not None:
        raise Refused([("alias", f"{row.endpoint} serves {row.served} as {twin.alias} by now; retire that one first.")])
    with journal(actor, TOPIC) as log:
        room = Setting.load().max_calls
        for collection in Collection.objects.filter(name__in=row.former):
            parts = row.former[collection.name]
            before = members_of(collection)
            if "members" in parts and len(before) < room and row.alias not in before:
                Seating.objects.create(collection=collection, language_model=row, place=len(before) + 1)
                log.note("collection", collection.name, "members", old=before, new=[*before, row.alias])
            if "merger" in parts and collection.merger is None:
                collection.merger = row
                collection.save(update_fields=["merger"])
                log.note("collection", collection.name, "merger", old="", new=row.alias)
        log.note("model", row.alias, "retired", old=row.retired_why, new=None)
        row.retired_at, row.retired_by, row.retired_why, row.former = None, "", "", {}
        row.restored_at = now or timezone.now()
        row.save()
    return row

"""Makes, changes and removes aliases: other names under which clients may ask a collection."""

from __future__ import annotations

from django.contrib.auth.models import User

from collections_app.journal import Journal, journal, require
from collections_app.models import Collection, ModelAlias
from collections_app.refusal import NotThere, Problems
from gateway.canon.names import PREFIX, SUFFIXES, read_collection

TOPIC = "aliases"
LONGEST = 100


def do_save_alias(*, actor: User | None, name: str, target: str) -> ModelAlias:
    """Make `name` mean `target`, a collection as callers write it: `bench/core`, or `bench/core:route` for one way of
    answering.

    :raises Refused: with every broken rule.
    """
    name = name.strip()
    row = ModelAlias.objects.filter(name=name).select_related("target").first()
    require(actor, f"collections_app.{'change' if row else 'add'}_modelalias", "change aliases")
    problems = Problems()
    _check_name(name, problems)
    bare, mode = read_collection(target)
    collection = Collection.objects.filter(name=bare).first()
    if collection is None:
        problems.add("target", _no_collection(bare))
    problems.refuse()
    assert collection is not None  # noqa: S101  # refused otherwise
    with journal(actor, TOPIC) as log:
        if row is None:
            row = ModelAlias.objects.create(name=name, target=collection, mode=mode or "")
            log.note("alias", name, new={"target": row.full_name})
            return row
        before = {"target": row.full_name}
        row.target, row.mode = collection, mode or ""
        if log.note_fields("alias", name, before, {"target": row.full_name}):
            row.save()
    return row


def do_remove_alias(*, actor: User | None, name: str) -> None:
    """Take the name away; what was asked under it stays on record."""
    require(actor, "collections_app.delete_modelalias", "remove aliases")
    row = ModelAlias.objects.filter(name=name).select_related("target").first()
    if row is None:
        raise NotThere([("name", f"There is no alias “{name}”.")])
    with journal(actor, TOPIC) as log:
        note_removed(log, row)
        row.delete()


def note_removed(log: Journal, row: ModelAlias) -> None:
    """The line in the change log for an alias that goes, by itself or with its collection."""
    log.note("alias", row.name, old={"target": row.full_name})


def _check_name(name: str, problems: Problems) -> None:
    fits = 0 < len(name) <= LONGEST and name.isprintable() and " " not in name
    problems.check(fits, "name", f"An alias has 1 to {LONGEST} printable characters and no space.")
    problems.check(
        not name.startswith(PREFIX), "name", f"{PREFIX}… always names a collection; an alias is some other name."
    )
    bare, _ = read_collection(name)
    if Collection.objects.filter(name=bare).exists():
        problems.add("name", f"{name} already asks the collection {PREFIX}{bare}; choose another name.")


def _no_collection(bare: str) -> str:
    collection, colon, mode = bare.rpartition(":")
    if colon and Collection.objects.filter(name=collection).exists():
        return f"“{mode}” is no way to answer; known are {', '.join(SUFFIXES)}."
    if not bare:
        return f"Name the collection that answers, such as {PREFIX}core or {PREFIX}core:route."
    return f"There is no collection “{bare}”."

"""One write to the catalogue: a transaction, its rows in the change log, and the news of it after the commit.

A journal inside another is part of it, so that a set-up file of hundreds of entries is one transaction, one batch of
log rows and one announcement. An action that changes nothing leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from collections_app.announce import announce
from collections_app.models import Change
from collections_app.refusal import NotAllowed
from collections_app.whence import address_now

LOCAL = "local"


class Journal:
    """What was changed so far, by whom and from where. `actor` is null when the installation itself acts, under the
    name `by`."""

    def __init__(self, actor: User | None, by: str) -> None:
        self.actor = actor
        self.actor_name = actor.get_username() if actor else by
        self.address = address_now()
        self.rows: list[Change] = []
        self.topics: list[str] = []

    def note(self, thing: str, name: str, field: str = "", *, old: Any = None, new: Any = None) -> None:
        """One row: without a field, the whole object came (`new`) or went (`old`). What is too long is cut: a claim may
        be the field."""
        self.rows.append(
            Change(
                actor=self.actor,
                actor_name=self.actor_name,
                address=self.address,
                thing=thing[:32],
                name=name[:200],
                field=field[:64],
                old=old,
                new=new,
            )
        )

    def note_fields(self, thing: str, name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """One row for each field that differs; whether any did."""
        changed = [field for field in after if before.get(field) != after[field]]
        for field in changed:
            self.note(thing, name, field, old=before.get(field), new=after[field])
        return bool(changed)


_open: ContextVar[Journal | None] = ContextVar("open_journal", default=None)


@contextmanager
def journal(actor: User | None, topic: str, *, by: str = LOCAL) -> Iterator[Journal]:
    """Everything inside is one transaction. `topic` is announced if something was noted."""
    outer = _open.get()
    if outer is not None:
        before = len(outer.rows)
        yield outer
        if len(outer.rows) > before:
            outer.topics.append(topic)
        return
    own = Journal(actor, by)
    with transaction.atomic():
        token = _open.set(own)
        try:
            yield own
        finally:
            _open.reset(token)
        if own.rows:
            Change.objects.bulk_create(own.rows, batch_size=500)
            announce(*own.topics, topic)


def note_alone(
    actor: User | None, thing: str, name: str, field: str = "", *, old: Any = None, new: Any = None, by: str = LOCAL
) -> None:
    """One row about something that is no write to the catalogue, such as a sign-in. Nothing is announced."""
    own = Journal(actor, by)
    own.note(thing, name, field, old=old, new=new)
    Change.objects.bulk_create(own.rows)


def require(actor: User | None, permission: str, what: str) -> None:
    """Let the installation itself and whoever holds the permission pass.

    :raises NotAllowed: with a sentence that names `what` was tried.
    """
    if actor is not None and not actor.has_perm(permission):
        raise NotAllowed([("", f"{actor.get_username()} may not {what}; ask an admin for the right group.")])


class _Undo(Exception):
    """Ends a rehearsal."""


def rehearse(act: Callable[[], object]) -> None:
    """Do it and undo it, to learn whether it would be refused.

    :raises Refused: as the act itself does.
    """
    token = _open.set(None)
    try:
        with transaction.atomic():
            act()
            raise _Undo
    except _Undo:
        pass
    finally:
        _open.reset(token)

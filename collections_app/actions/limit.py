"""Sets and takes away what a connection may be sent."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User

from collections_app.journal import journal, require
from collections_app.models import ConnectionLimit
from collections_app.refusal import NotThere, Problems

TOPIC = "limits"
LONGEST: Final = 100
AXES: Final = ("rpm", "rpd", "rpmo", "tpm", "tpd", "parallel")
MOST: Final = {"rpm": 2**31 - 1, "rpd": 2**31 - 1, "parallel": 2**31 - 1, "rpmo": 2**63 - 1}
MOST_TOKENS: Final = 2**63 - 1


def do_save_limit(
    *,
    actor: User | None,
    name: str,
    rpm: int | None = None,
    rpd: int | None = None,
    rpmo: int | None = None,
    tpm: int | None = None,
    tpd: int | None = None,
    parallel: int | None = None,
) -> ConnectionLimit:
    """Let the connection `name` have requests a minute, a day and a month, tokens a minute and a day, and calls at
    once; None is no limit. A connection is an endpoint or, behind a hub, what a model's tag begins with; it need not be
    there yet.

    :raises Refused: with every broken rule.
    """
    name = name.strip()
    row = ConnectionLimit.objects.filter(connection=name).first()
    require(actor, f"collections_app.{'change' if row else 'add'}_connectionlimit", "set limits")
    given = {"rpm": rpm, "rpd": rpd, "rpmo": rpmo, "tpm": tpm, "tpd": tpd, "parallel": parallel}
    problems = Problems()
    fits = 0 < len(name) <= LONGEST and name.isprintable()
    problems.check(fits, "name", f"Name a connection with 1 to {LONGEST} printable characters.")
    for axis, number in given.items():
        most = MOST.get(axis, MOST_TOKENS)
        right = number is None or (type(number) is int and 1 <= number <= most)
        problems.check(right, axis, f"{axis} is a whole number from 1 to {most}; leave it out for no limit.")
    problems.check(
        any(number is not None for number in given.values()),
        "name",
        f"Give {name or 'the connection'} at least one of {', '.join(AXES)}, or remove it.",
    )
    problems.refuse()
    with journal(actor, TOPIC) as log:
        if row is None:
            row = ConnectionLimit.objects.create(connection=name, **given)
            log.note("limit", name, new={axis: number for axis, number in given.items() if number is not None})
            return row
        before = _limits(row)
        if log.note_fields("limit", name, before, given):
            for axis, number in given.items():
                setattr(row, axis, number)
            row.save()
    return row


def do_remove_limit(*, actor: User | None, name: str) -> None:
    """Let the connection have whatever it takes."""
    require(actor, "collections_app.delete_connectionlimit", "remove limits")
    row = ConnectionLimit.objects.filter(connection=name).first()
    if row is None:
        raise NotThere([("name", f"There is no limit of “{name}”.")])
    with journal(actor, TOPIC) as log:
        log.note("limit", name, old={axis: number for axis, number in _limits(row).items() if number is not None})
        row.delete()


def _limits(row: ConnectionLimit) -> dict[str, int | None]:
    return {axis: getattr(row, axis) for axis in AXES}

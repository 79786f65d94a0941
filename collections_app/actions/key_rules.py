"""Who may make and change which key, and what a key may be."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from collections_app.budgets import Budget
from collections_app.journal import require
from collections_app.models import Collection, GatewayKey, SignedProgram, Team
from collections_app.refusal import NotAllowed, Problems
from gateway.canon.names import PREFIX

MOST_RPM = 10_000
MOST_TPM = 100_000_000
_LOOKS_LIKE_A_KEY = re.compile(r"bwk_[A-Za-z0-9_-]{32,128}")


@dataclass(frozen=True)
class Terms:
    """What a key may do. No collections means all that its owner or team may call."""

    collections: Sequence[str] = ()
    rpm: int | None = None
    tpm: int | None = None
    expires_at: datetime | None = None
    budgets: tuple[Budget, ...] = ()


def digest_of(plain: str) -> str:
    """How a key is stored and compared: SHA-256, in hex."""
    return hashlib.sha256(plain.encode()).hexdigest()


def may_make(actor: User | None, owner: User, team: Team | None) -> bool:
    """One's own keys, and keys for a team of one's own, need no more than the right to ask."""
    if actor is None or actor.has_perm("collections_app.add_gatewaykey"):
        return True
    return actor == owner and actor.has_perm("gateway.ask") and _belongs(actor, team)


def may_manage(actor: User | None, row: GatewayKey) -> bool:
    """A key without a team is its owner's; one with a team is its members'. Admins manage all."""
    if may_loosen(actor):
        return True
    mine = _belongs(actor, row.team) if row.team else actor == row.owner
    return mine and actor is not None and actor.has_perm("gateway.ask")


def may_loosen(actor: User | None) -> bool:
    """Who may raise or remove what bounds a key, and give it away."""
    return actor is None or actor.has_perm("collections_app.change_gatewaykey")


def require_making(actor: User | None, owner: User, team: Team | None) -> None:
    """:raises NotAllowed: unless `may_make`."""
    if not may_make(actor, owner, team):
        require(actor, "collections_app.add_gatewaykey", "make keys for others")


def require_managing(actor: User | None, row: GatewayKey) -> None:
    """:raises NotAllowed: unless `may_manage`."""
    if not may_manage(actor, row):
        require(actor, "collections_app.change_gatewaykey", "manage the keys of others")


def require_no_looser(actor: User | None, before: Terms, after: Terms) -> None:
    """Whoever may only manage a key may make it tighter, never looser.

    :raises NotAllowed: with each limit that would be.
    """
    if may_loosen(actor):
        return
    looser: list[tuple[str, Any]] = [
        (name, old)
        for name in ("rpm", "tpm", "expires_at")
        if (old := getattr(before, name)) is not None and ((new := getattr(after, name)) is None or new > old)
    ]
    problems = [(name, f"Only an admin may raise or remove this; it is {_tell(old)}.") for name, old in looser]
    now = {(budget.unit, budget.period): budget.amount for budget in after.budgets}
    for budget in before.budgets:
        amount = now.get((budget.unit, budget.period))
        if amount is None or amount > budget.amount:
            problems.append(("budgets", f"Only an admin may raise or remove the budget of {budget.words}."))
    if problems:
        raise NotAllowed(problems)


def collections_for(owner: User, team: Team | None) -> QuerySet[Collection]:
    """What a key of this owner, or of this team, may name: what nobody owns, and what they do."""
    rows = Collection.objects.all()
    if team is not None:
        return rows.filter(Q(team=None) | Q(team=team))
    if owner.has_perm("collections_app.change_collection"):
        return rows
    return rows.filter(Q(team=None) | Q(team__in=owner.teams.all()))


def find_team(name: str, problems: Problems) -> Team | None:
    """The team of this name; none for an empty one."""
    if not name.strip():
        return None
    row = Team.objects.filter(name=name.strip()).first()
    problems.check(row is not None, "team", f"There is no team “{name.strip()}”.")
    return row


def check_terms(
    terms: Terms, owner: User, team: Team | None, problems: Problems, present: Iterable[str] = ()
) -> list[Collection]:
    """The collections that are named. What the key names already, in `present`, is not asked about again."""
    for name, value, most in (("rpm", terms.rpm, MOST_RPM), ("tpm", terms.tpm, MOST_TPM)):
        fits = value is None or (type(value) is int and 1 <= value <= most)
        problems.check(fits, name, f"{name} is a whole number from 1 to {most}, or left out for no limit.")
    bare = list(dict.fromkeys(name.strip().removeprefix(PREFIX) for name in terms.collections if name.strip()))
    rows = {row.name: row for row in Collection.objects.filter(name__in=bare)}
    seen = set(collections_for(owner, team).filter(name__in=bare).values_list("name", flat=True)) | set(present)
    whose = f"the team {team}" if team else owner.get_username()
    for name in bare:
        if name not in rows:
            problems.add("collections", f"There is no collection “{name}”.")
        elif name not in seen:
            problems.add("collections", f"bench/{name} is another team's; a key of {whose} cannot open it.")
    return [rows[name] for name in bare if name in rows]


def check_no_program(row: GatewayKey, problems: Problems) -> None:
    """The key of a signed-in program has no secret, and is its person's."""
    signed = SignedProgram.objects.filter(key=row).first()
    problems.check(signed is None, "name", f"{row.name} is the key of a program that {row.owner} signed in: {signed}.")


def check_plain(plain: str, row: GatewayKey | None, problems: Problems) -> None:
    """A key that was brought: does it look like one, and is it no other's, nor one that was given up?"""
    problems.check(
        _LOOKS_LIKE_A_KEY.fullmatch(plain) is not None,
        "secret_env",
        "The variable must hold a key of this gateway: bwk_ and at least 32 letters, digits, hyphens or underscores.",
    )
    digest = digest_of(plain)
    for twin in GatewayKey.objects.filter(Q(digest=digest) | Q(previous_digest=digest)):
        if twin.digest != digest:
            problems.add("secret_env", f"The key {twin.name} was rotated and this is its old one; bring another.")
        elif row is None or twin.pk != row.pk:
            state = "was revoked; make a new one" if twin.revoked_at else "is in use; each key is used once"
            problems.add("secret_env", f"The same key, under the name {twin.name}, {state}.")


def _belongs(actor: User | None, team: Team | None) -> bool:
    return team is None or (actor is not None and team.members.filter(pk=actor.pk).exists())


def _tell(value: Any) -> str:
    return value.isoformat(sep=" ", timespec="minutes") if isinstance(value, datetime) else f"{value:,}"

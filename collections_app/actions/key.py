"""Makes, adopts, changes, rotates and revokes gateway keys. The key itself is returned once and stored only as a
digest.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.endpoint import NAME_RULE
from collections_app.actions.key_budget import TOPIC, budgets_of, check_budgets, find_live, write_budgets
from collections_app.actions.key_rules import (
    Terms,
    check_no_program,
    check_plain,
    check_terms,
    digest_of,
    find_team,
    require_making,
    require_managing,
    require_no_looser,
)
from collections_app.budgets import Budget
from collections_app.journal import Journal, journal, require
from collections_app.models import Collection, GatewayKey, Team
from collections_app.refusal import Problems
from gateway.canon.names import SLUG

MARK = "bwk_"
KEY_BYTES = 32
DAY = timedelta(days=1)
LONGEST_OVERLAP = timedelta(days=30)
Given = Sequence[Mapping[str, Any]]
"""Budgets as people write them: each a unit, a period and an amount, money in dollars."""


class Rotated(NamedTuple):
    """`plain` is the new key, which is never seen again. `replaced`: a key from the rotation before still opened until
    now, and no longer does."""

    row: GatewayKey
    plain: str
    replaced: bool


def do_create_key(
    *,
    actor: User | None,
    owner: User,
    name: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    tpm: int | None = None,
    expires_at: datetime | None = None,
    team: str = "",
    budgets: Given = (),
) -> tuple[GatewayKey, str]:
    """Make a key for its owner; returns it with the plain key, which is never seen again.

    People who may ask make keys for themselves and for their teams; keys for others, service accounts among them, need
    the permission to add keys. No collections means all.

    :raises Refused: with every broken rule.
    """
    problems, plain = Problems(), _new_plain()
    terms = Terms(collections, rpm, tpm, expires_at, check_budgets(budgets, problems))
    return _make(actor, owner, name, plain, find_team(team, problems), terms, problems), plain


def do_adopt_key(
    *,
    actor: User | None,
    owner: User,
    name: str,
    plain: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    tpm: int | None = None,
    expires_at: datetime | None = None,
    team: str = "",
    budgets: Given = (),
) -> GatewayKey:
    """Make the key of this name be this one, brought from outside, with this owner, team and scope. The one it was
    before opens nothing any more.

    :raises Refused: with every broken rule; among them a key that is too short to be one.
    """
    row = GatewayKey.objects.filter(name=name.strip(), revoked_at__isnull=True).select_related("owner", "team").first()
    problems = Problems()
    check_plain(plain, row, problems)
    terms = Terms(collections, rpm, tpm, expires_at, check_budgets(budgets, problems))
    wanted_team = find_team(team, problems)
    if row is None:
        return _make(actor, owner, name, plain, wanted_team, terms, problems)
    require(actor, "collections_app.change_gatewaykey", "change keys")
    wanted = check_terms(terms, owner, wanted_team, problems, _opens(row))
    check_no_program(row, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        if row.digest != digest_of(plain):
            log.note("key", row.name, "key", old=f"…{row.hint}", new=f"…{plain[-4:]}")
            row.digest, row.hint, row.previous_digest, row.previous_until = digest_of(plain), plain[-4:], None, None
            row.save(update_fields=["digest", "hint", "previous_digest", "previous_until"])
        _write(log, row, owner, wanted_team, terms, wanted)
    return row


def do_scope_key(
    *,
    actor: User | None,
    name: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    tpm: int | None = None,
    expires_at: datetime | None = None,
    owner: User | None = None,
    team: str = "",
    budgets: Given = (),
) -> GatewayKey:
    """Make the key open exactly these collections (none given means all), at this rate, until this time, within these
    budgets. Whoever may not change the keys of others makes their own tighter, never looser.

    :raises Refused: with every broken rule.
    """
    row = find_live(name)
    require_managing(actor, row)
    owner = owner or row.owner
    problems = Problems()
    wanted_team = find_team(team, problems)
    terms = Terms(collections, rpm, tpm, expires_at, check_budgets(budgets, problems))
    wanted = check_terms(terms, owner, wanted_team, problems, _opens(row))
    if owner != row.owner or wanted_team != row.team:
        check_no_program(row, problems)
    problems.refuse()
    if owner != row.owner or wanted_team != row.team:
        require(actor, "collections_app.change_gatewaykey", "give keys to others")
    require_no_looser(actor, Terms((), row.rpm, row.tpm, row.expires_at, budgets_of(row)), terms)
    with journal(actor, TOPIC) as log:
        _write(log, row, owner, wanted_team, terms, wanted)
    return row


def do_rotate_key(*, actor: User | None, name: str, overlap: timedelta = DAY, now: datetime | None = None) -> Rotated:
    """Give the key a new secret. The one before opens it for `overlap` longer, at most 30 days; an overlap that is
    still running from the last rotation ends at once. Scope, limits and what was used stay.

    :raises Refused: an overlap out of bounds, or a key that has expired.
    """
    now = now or timezone.now()
    plain, until = _new_plain(), now + overlap if overlap else None
    with journal(actor, TOPIC) as log:
        row = find_live(name, lock=True)  # of two at once, each is told the secret that it left behind
        require_managing(actor, row)
        problems = Problems()
        fits = timedelta(0) <= overlap <= LONGEST_OVERLAP
        problems.check(fits, "overlap", f"The old key may open for 0 to {LONGEST_OVERLAP.days} days more.")
        problems.check(row.expires_at is None or row.expires_at > now, "name", f"The key {row.name} has expired.")
        check_no_program(row, problems)
        problems.refuse()
        replaced = row.previous_until is not None and row.previous_until > now
        log.note("key", row.name, "key", old=f"…{row.hint}", new=f"…{plain[-4:]}")
        if row.previous_until != until:
            log.note("key", row.name, "previous_until", old=_iso(row.previous_until), new=_iso(until))
        row.previous_digest, row.previous_until = (row.digest, until) if until else (None, None)
        row.digest, row.hint = digest_of(plain), plain[-4:]
        row.save(update_fields=["digest", "hint", "previous_digest", "previous_until"])
    return Rotated(row, plain, replaced)


def do_revoke_key(*, actor: User | None, name: str, now: datetime | None = None) -> GatewayKey:
    """Close the key for good, from the next request on, and with it the one it was before a rotation. Its name is free
    again."""
    row = find_live(name)
    require_managing(actor, row)
    with journal(actor, TOPIC) as log:
        row.revoked_at = now or timezone.now()
        row.previous_digest = row.previous_until = None
        row.save(update_fields=["revoked_at", "previous_digest", "previous_until"])
        log.note("key", row.name, old=f"…{row.hint}")
    return row


def _new_plain() -> str:
    return MARK + secrets.token_urlsafe(KEY_BYTES)


def _make(
    actor: User | None, owner: User, name: str, plain: str, team: Team | None, terms: Terms, problems: Problems
) -> GatewayKey:
    require_making(actor, owner, team)
    name = name.strip()
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    problems.check(name != "local", "name", "“local” is the caller without a key; choose another name.")
    if GatewayKey.objects.filter(name=name, revoked_at__isnull=True).exists():
        problems.add("name", f"There is a key {name} already; revoke it or choose another name.")
    wanted = check_terms(terms, owner, team, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        row = GatewayKey.objects.create(
            owner=owner,
            name=name,
            digest=digest_of(plain),
            hint=plain[-4:],
            scoped=bool(wanted),
            rpm=terms.rpm,
            tpm=terms.tpm,
            team=team,
            expires_at=terms.expires_at,
        )
        row.collections.set(wanted)
        write_budgets(row, terms.budgets)
        log.note("key", name, new=_shown(row, _opens(row), terms.budgets))
    return row


def _write(
    log: Journal, row: GatewayKey, owner: User, team: Team | None, terms: Terms, wanted: Sequence[Collection]
) -> None:
    before = _shown(row, _opens(row), budgets_of(row))
    row.owner, row.team, row.scoped = owner, team, bool(wanted)
    row.rpm, row.tpm, row.expires_at = terms.rpm, terms.tpm, terms.expires_at
    after = _shown(row, sorted(collection.name for collection in wanted), terms.budgets)
    if log.note_fields("key", row.name, before, after):
        row.save(update_fields=["owner", "team", "scoped", "rpm", "tpm", "expires_at"])
        row.collections.set(wanted)
        write_budgets(row, terms.budgets)


def _opens(row: GatewayKey) -> list[str]:
    return sorted(row.collections.values_list("name", flat=True))


def _shown(row: GatewayKey, collections: Sequence[str], budgets: Sequence[Budget]) -> dict[str, Any]:
    return {
        "owner": row.owner.get_username(),
        "team": row.team.name if row.team else "",
        "collections": list(collections),
        "scoped": row.scoped,
        "rpm": row.rpm,
        "tpm": row.tpm,
        "expires_at": _iso(row.expires_at),
        "budgets": [budget.words for budget in budgets],
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None

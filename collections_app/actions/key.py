"""Makes, adopts, changes and revokes gateway keys. The key itself is returned once and stored only as a digest."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.endpoint import NAME_RULE
from collections_app.journal import Journal, journal, require
from collections_app.models import Collection, GatewayKey
from collections_app.refusal import NotThere, Problems
from gateway.canon.names import PREFIX, SLUG

TOPIC = "keys"
MARK = "bwk_"
KEY_BYTES = 32
MOST_RPM = 10_000
_LOOKS_LIKE_A_KEY = re.compile(r"bwk_[A-Za-z0-9_-]{32,128}")


def digest_of(plain: str) -> str:
    """How a key is stored and compared: SHA-256, in hex."""
    return hashlib.sha256(plain.encode()).hexdigest()


def do_create_key(
    *,
    actor: User | None,
    owner: User,
    name: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    expires_at: datetime | None = None,
) -> tuple[GatewayKey, str]:
    """Make a key for its owner; returns it with the plain key, which is never seen again.

    People who may ask make keys for themselves; keys for others need the permission to add keys. No collections
    means all.

    :raises Refused: with every broken rule.
    """
    plain = MARK + secrets.token_urlsafe(KEY_BYTES)
    return _make(actor, owner, name, plain, collections, rpm, expires_at), plain


def do_adopt_key(
    *,
    actor: User | None,
    owner: User,
    name: str,
    plain: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    expires_at: datetime | None = None,
) -> GatewayKey:
    """Make the key of this name be this one, brought from outside, with this owner and scope.

    :raises Refused: with every broken rule; among them a key that is too short to be one.
    """
    row = GatewayKey.objects.filter(name=name.strip(), revoked_at__isnull=True).first()
    problems = Problems()
    _check_plain(plain, row, problems)
    if row is None:
        return _make(actor, owner, name, plain, collections, rpm, expires_at, problems)
    require(actor, "collections_app.change_gatewaykey", "change keys")
    _check_scope(collections, rpm, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        if row.digest != digest_of(plain):
            log.note("key", row.name, "key", old=f"…{row.hint}", new=f"…{plain[-4:]}")
            row.digest, row.hint = digest_of(plain), plain[-4:]
            row.save(update_fields=["digest", "hint"])
        _write_scope(log, row, owner, collections, rpm, expires_at)
    return row


def do_scope_key(
    *,
    actor: User | None,
    name: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
    expires_at: datetime | None = None,
    owner: User | None = None,
) -> GatewayKey:
    """Make the key open exactly these collections (none given means all), at this rate, until this time.

    :raises Refused: with every broken rule.
    """
    row = _live(name)
    _require_own(actor, row.owner, "change")
    problems = Problems()
    _check_scope(collections, rpm, problems)
    problems.refuse()
    if owner is not None and owner != row.owner:
        require(actor, "collections_app.change_gatewaykey", "give keys to others")
    with journal(actor, TOPIC) as log:
        _write_scope(log, row, owner or row.owner, collections, rpm, expires_at)
    return row


def do_revoke_key(*, actor: User | None, name: str, now: datetime | None = None) -> GatewayKey:
    """Close the key for good, from the next request on. Its name is free again."""
    row = _live(name)
    _require_own(actor, row.owner, "change")
    with journal(actor, TOPIC) as log:
        row.revoked_at = now or timezone.now()
        row.save(update_fields=["revoked_at"])
        log.note("key", row.name, old=f"…{row.hint}")
    return row


def _live(name: str) -> GatewayKey:
    row = GatewayKey.objects.filter(name=name, revoked_at__isnull=True).select_related("owner").first()
    if row is None:
        raise NotThere([("name", f"There is no key “{name}”.")])
    return row


def _make(
    actor: User | None,
    owner: User,
    name: str,
    plain: str,
    collections: Sequence[str],
    rpm: int | None,
    expires_at: datetime | None,
    problems: Problems | None = None,
) -> GatewayKey:
    _require_own(actor, owner, "add")
    name = name.strip()
    problems = problems or Problems()
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    problems.check(name != "local", "name", "“local” is the caller without a key; choose another name.")
    if GatewayKey.objects.filter(name=name, revoked_at__isnull=True).exists():
        problems.add("name", f"There is a key {name} already; revoke it or choose another name.")
    wanted = _check_scope(collections, rpm, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        row = GatewayKey.objects.create(
            owner=owner,
            name=name,
            digest=digest_of(plain),
            hint=plain[-4:],
            scoped=bool(wanted),
            rpm=rpm,
            expires_at=expires_at,
        )
        row.collections.set(wanted)
        log.note("key", name, new=_shown(row))
    return row


def _require_own(actor: User | None, owner: User, verb: str) -> None:
    """Keys of one's own need no more than the right to ask."""
    own = actor is not None and actor == owner and actor.has_perm("gateway.ask")
    if not own:
        require(actor, f"collections_app.{verb}_gatewaykey", "manage the keys of others")


def _check_plain(plain: str, row: GatewayKey | None, problems: Problems) -> None:
    problems.check(
        _LOOKS_LIKE_A_KEY.fullmatch(plain) is not None,
        "secret_env",
        "The variable must hold a key of this gateway: bwk_ and at least 32 letters, digits, hyphens or underscores.",
    )
    same = GatewayKey.objects.filter(digest=digest_of(plain))
    twin = (same.exclude(pk=row.pk) if row else same).first()
    if twin is not None:
        state = "was revoked; make a new one" if twin.revoked_at else "is in use; each key is used once"
        problems.add("secret_env", f"The same key, under the name {twin.name}, {state}.")


def _check_scope(names: Sequence[str], rpm: int | None, problems: Problems) -> list[Collection]:
    bare = list(dict.fromkeys(name.strip().removeprefix(PREFIX) for name in names if name.strip()))
    rows = {row.name: row for row in Collection.objects.filter(name__in=bare)}
    for name in bare:
        problems.check(name in rows, "collections", f"There is no collection “{name}”.")
    fits = rpm is None or (type(rpm) is int and 1 <= rpm <= MOST_RPM)
    problems.check(fits, "rpm", f"rpm is a whole number from 1 to {MOST_RPM}, or left out for no limit.")
    return [rows[name] for name in bare if name in rows]


def _write_scope(
    log: Journal,
    row: GatewayKey,
    owner: User,
    names: Sequence[str],
    rpm: int | None,
    expires_at: datetime | None,
) -> None:
    wanted = list(Collection.objects.filter(name__in=[name.strip().removeprefix(PREFIX) for name in names]))
    before = _shown(row)
    row.owner, row.rpm, row.expires_at, row.scoped = owner, rpm, expires_at, bool(wanted)
    after = _shown(row) | {"collections": sorted(collection.name for collection in wanted)}
    if log.note_fields("key", row.name, before, after):
        row.save()
        row.collections.set(wanted)


def _shown(row: GatewayKey) -> dict[str, Any]:
    return {
        "owner": row.owner.get_username(),
        "collections": sorted(row.collections.values_list("name", flat=True)),
        "scoped": row.scoped,
        "rpm": row.rpm,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
    }

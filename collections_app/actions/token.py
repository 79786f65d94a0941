"""Makes and revokes personal tokens. The token itself is returned once and stored only as a digest."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from collections_app.journal import journal
from collections_app.models import PersonalToken
from collections_app.refusal import NotThere, Problems

MARK: Final = "bwp_"
TOKEN_BYTES: Final = 32
LONGEST_NAME: Final = 64
MOST_DAYS: Final = 3_650
MOST: Final = 50
"""Live tokens of a person."""
NOTED_EVERY: Final = timedelta(minutes=1)
"""How exactly the last use is known."""
TOPIC: Final = "people"


def do_create_token(*, user: User, name: str, now: datetime, days: int | None = None) -> tuple[PersonalToken, str]:
    """A token that acts as this person for so many days, None for as long as it is not revoked; returned with the
    plain token, which is never seen again.

    :raises Refused: with every broken rule.
    """
    name, problems = " ".join(name.split()), Problems()
    if not name or len(name) > LONGEST_NAME:
        problems.add("name", f"Say what it is for, in {LONGEST_NAME} characters at most.")
    if days is not None and not 1 <= days <= MOST_DAYS:
        problems.add("days", f"It may last 1 to {MOST_DAYS:,} days.")
    if live_tokens(now).filter(user=user).count() >= MOST:
        problems.add("name", f"You have {MOST} tokens; revoke some first.")
    problems.refuse()
    plain = MARK + secrets.token_urlsafe(TOKEN_BYTES)
    with journal(user, TOPIC) as log:
        row = PersonalToken.objects.create(
            user=user,
            name=name,
            digest=digest_of(plain),
            hint=plain[-4:],
            created_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
        )
        log.note("personal token", f"{user.get_username()}: {name}", new={"days": days})
    return row, plain


def do_revoke_token(*, user: User, number: int, now: datetime) -> PersonalToken:
    """It opens nothing from now on.

    :raises Refused: when it is not this person's, or is revoked.
    """
    row = PersonalToken.objects.filter(pk=number, user=user, revoked_at=None).first()
    if row is None:
        raise NotThere([("token", "There is no such token of yours.")])
    with journal(user, TOPIC) as log:
        row.revoked_at = now
        row.save(update_fields=["revoked_at"])
        log.note("personal token", f"{user.get_username()}: {row.name}", "revoked", new=True)
    return row


def find_person(plain: str, now: datetime) -> User | None:
    """Whose live token this is; a use is noted once a minute."""
    row = live_tokens(now).filter(digest=digest_of(plain), user__is_active=True).select_related("user").first()
    if row is None:
        return None
    if row.last_used_at is None or now - row.last_used_at >= NOTED_EVERY:
        PersonalToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return row.user


def live_tokens(now: datetime) -> QuerySet[PersonalToken]:
    """Those that open something."""
    return PersonalToken.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)


def digest_of(plain: str) -> str:
    """What is stored of a token."""
    return sha256(plain.encode()).hexdigest()

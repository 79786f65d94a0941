"""Makes, takes and revokes invitations. The token is returned once and stored only as a digest."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from collections_app.actions.gift import check_gift
from collections_app.actions.person import TOPIC, check_email, check_new_name, make_person
from collections_app.journal import journal, require
from collections_app.models import Invitation, Team
from collections_app.models.people import GROUPS
from collections_app.refusal import NotThere, Problems, Refused

TOKEN_BYTES = 32
MOST_DAYS = 90
WORN = "This invitation is worn: it was used, taken back or is too old. Ask whoever invited you for another."


def digest_of(token: str) -> str:
    """How a token is stored and found: SHA-256, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def do_invite(
    *, actor: User | None, now: datetime, group: str = "caller", team: str = "", email: str = "", days: int = 7
) -> tuple[Invitation, str]:
    """Make an invitation; returns it with its token, which is never seen again.

    :raises Refused: with every broken rule; among them a group that may more than the inviter.
    """
    require(actor, "collections_app.add_invitation", "invite people")
    team, email = team.strip(), email.strip()
    problems = Problems()
    problems.check(group in GROUPS, "group", f"Choose one of the groups {', '.join(GROUPS)}.")
    check_gift(actor, Group.objects.filter(name=group), "group", problems)
    row = Team.objects.filter(name=team).first()
    problems.check(row is not None or not team, "team", f"There is no team “{team}”.")
    check_email(email, problems)
    if email and User.objects.filter(email__iexact=email, is_active=True).exists():
        problems.add("email", f"Somebody with the address {email} is here already.")
    problems.check(type(days) is int and 1 <= days <= MOST_DAYS, "days", f"From 1 to {MOST_DAYS} days.")
    problems.refuse()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with journal(actor, TOPIC) as log:
        made = Invitation.objects.create(
            digest=digest_of(token),
            email=email,
            group=group,
            team=row,
            made_by=actor,
            expires_at=now + timedelta(days=days),
        )
        log.note("invitation", str(made.pk), new=_shown(made))
    return made, token


def do_revoke_invitation(*, actor: User | None, number: int, now: datetime) -> Invitation:
    """Take the invitation back. One that was used or taken back stays as it is.

    :raises Refused: there is none of this number.
    """
    require(actor, "collections_app.change_invitation", "take invitations back")
    with journal(actor, TOPIC) as log:
        row = Invitation.objects.filter(pk=number).first()
        if row is None:
            raise NotThere([("", "There is no such invitation.")])
        fresh = Invitation.objects.filter(pk=number, used_at=None, revoked_at=None)
        if fresh.update(revoked_at=now):
            log.note("invitation", str(number), old=_shown(row))
            row.revoked_at = now
    return row


def find_invitation(token: str, now: datetime) -> Invitation | None:
    """The invitation that this token opens by now; None when it is worn or made up."""
    row = Invitation.objects.filter(digest=digest_of(token)).select_related("team", "made_by").first()
    return row if row is not None and state_of(row, now) == "open" else None


def state_of(row: Invitation, now: datetime) -> str:
    """`open`, `used`, `revoked`, `expired`, or `void` when whoever made it is inactive or may no longer invite."""
    if row.used_at is not None:
        return "used"
    if row.revoked_at is not None:
        return "revoked"
    if row.expires_at <= now:
        return "expired"
    return "open" if row.made_by is None or row.made_by.has_perm("collections_app.add_invitation") else "void"


def do_take_invitation(*, token: str, username: str, now: datetime, password: str | None, email: str = "") -> User:
    """Make the account that the invitation is for, once. Without a password the person signs in by another way, and
    `email` is the address that this way vouches for.

    :raises Refused: the invitation is worn, or for another address; the name or the password will not do.
    """
    with journal(None, TOPIC, by="invitation") as log:
        row = find_invitation(token, now)
        # The update is the race: of two at once one finds the row still unused.
        if row is None or not Invitation.objects.filter(pk=row.pk, used_at=None, revoked_at=None).update(used_at=now):
            raise Refused([("", WORN)])
        if password is None and row.email and email.casefold() != row.email.casefold():
            told = f"you signed in as {email}" if email else "how you signed in confirms no address"
            raise Refused([("", f"This invitation is for {row.email}; {told}.")])
        problems = Problems()
        check_new_name(username.strip(), problems)
        if password is not None:
            _check_password(password, User(username=username, email=row.email), problems)
        problems.refuse()
        address = row.email or email
        person = make_person(log, username=username, email=address, group=row.group, password=password)
        if row.team is not None:
            row.team.members.add(person)
            log.note("person", person.username, "teams", old=[], new=[row.team.name])
        Invitation.objects.filter(pk=row.pk).update(used_by=person)
        log.note("invitation", str(row.pk), "used_by", new=person.username)
    return person


def _check_password(password: str, person: User, problems: Problems) -> None:
    try:
        validate_password(password, person)
    except ValidationError as weak:
        for sentence in weak.messages:
            problems.add("password", sentence)


def _shown(row: Invitation) -> dict[str, Any]:
    return {
        "email": row.email,
        "group": row.group,
        "team": row.team.name if row.team else None,
        "expires_at": row.expires_at.isoformat(),
    }

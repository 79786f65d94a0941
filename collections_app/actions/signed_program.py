"""Signs programs in for people, renews them and signs them out.

The library (allauth) keeps its own rows of who registered and of tokens, which are stored as digests; what a program
may is a gateway key of the person's that no secret opens.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta
from typing import Final

from allauth.idp.oidc.models import Client, Token
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from collections_app.actions.key_budget import TOPIC
from collections_app.actions.key_rules import digest_of
from collections_app.announce import announce
from collections_app.journal import Journal, journal
from collections_app.models import GatewayKey, SignedProgram
from collections_app.refusal import NotAllowed, NotThere, Problems

THING: Final = "signed-in program"
RENEWED: Final = "access"
"""What renewals are announced as: processes read tokens anew, and no page draws itself anew for it."""
MOST: Final = 50
"""Programs that are signed in for one person."""
IDLE: Final = timedelta(days=30)
"""A program that was not renewed for so long is signed out."""
UNUSED: Final = timedelta(days=1)
"""A program that registered and that nobody signed in is forgotten after so long."""
MOST_UNUSED: Final = 1_000
_NAME_ROOM: Final = 18


def live_programs() -> QuerySet[SignedProgram]:
    """Those that are signed in, with their keys and whose they are."""
    return SignedProgram.objects.filter(key__revoked_at=None).select_related("key__owner")


def do_sign_in_program(*, person: User, grant: str, client: Client, now: datetime) -> SignedProgram:
    """What the person agreed to takes effect. A program that registered with a name of its own and signs in again takes
    the place of its sign-in before.

    :raises Refused: when the person may not ask, or has too many.
    """
    check_may(person)
    name, problems = " ".join(client.name.split()) or "A program", Problems()
    mine = live_programs().filter(key__owner=person)
    with journal(person, TOPIC) as log:
        if is_registered(client.pk):
            for before in mine.filter(client=client.pk):
                _end(log, before, now, "signed in again")
        problems.check(mine.count() < MOST, "", f"{MOST} programs are signed in for you; sign some out first.")
        problems.refuse()
        key = GatewayKey.objects.create(
            owner=person,
            name=_free_name(name, person),
            digest=digest_of(secrets.token_urlsafe(32)),
        )
        row = SignedProgram.objects.create(key=key, grant=grant, client=client.pk, name=name[:100], until=now + IDLE)
        log.note(THING, _shown(row), new={"key": key.name, "client": client.pk})
    return row


def check_may(person: User) -> None:
    """:raises NotAllowed: when this person may not ask, so that a program could not in their name."""
    if not (person.is_active and person.has_perm("gateway.ask")):
        raise NotAllowed([("", "You may not ask models, so no program can in your name. Ask an admin.")])


def do_renew_program(*, row: SignedProgram, spent: str, now: datetime) -> None:
    """Another hour, for the renewing token whose digest is `spent`."""
    row.spent, row.spent_at, row.until = spent, now, now + IDLE
    row.save(update_fields=["spent", "spent_at", "until"])
    announce(RENEWED)


def do_sign_out_program(*, actor: User | None, number: int, now: datetime) -> SignedProgram:
    """It may ask no more, from its next request on, and must be signed in anew.

    :raises NotThere: when there is none, or it is another person's.
    """
    row = live_programs().filter(pk=number).first()
    if row is None or actor not in (None, row.key.owner):
        raise NotThere([("", "There is no such program of yours.")])
    with journal(actor, TOPIC) as log:
        _end(log, row, now, "signed out")
    return row


def do_end_grant(*, grant: str, why: str, now: datetime) -> None:
    """Whatever was let in by this consent is out: the library's tokens, and the program where it got that far."""
    with journal(None, TOPIC, by="auto") as log:
        for row in live_programs().filter(grant=grant):
            _end(log, row, now, why)
        tokens_of([grant]).delete()


def do_forget_programs(now: datetime) -> None:
    """Sign out whom nobody renewed, and forget tokens that are over and registrations that nobody used."""
    with journal(None, TOPIC, by="auto") as log:
        for row in live_programs().filter(until__lte=now):
            _end(log, row, now, "not used for long")
        Token.objects.filter(expires_at__lte=now).delete()
        unused_clients().filter(created_at__lte=now - UNUSED).delete()


def do_know_client(client: Client) -> None:
    """Keep what the document of a program says."""
    client._state.adding = not Client.objects.filter(pk=client.pk).exists()
    client.save()


def unused_clients() -> QuerySet[Client]:
    """Programs that made themselves known and for which nobody is signed in."""
    tokens = Token.objects.filter(client=OuterRef("pk"))
    signed = SignedProgram.objects.filter(client=OuterRef("pk"), key__revoked_at=None)
    found: QuerySet[Client] = Client.objects.filter(~Exists(tokens), ~Exists(signed))
    return found


def tokens_of(grants: list[str]) -> QuerySet[Token]:
    """The library's tokens by these consents."""
    found: QuerySet[Token] = Token.objects.filter(data__grant_id__in=grants)
    return found


def is_registered(client: str) -> bool:
    """Whether the program registered here, as one installation of it; else its id is the address of its document."""
    return not client.startswith("https:")


def _end(log: Journal, row: SignedProgram, now: datetime, why: str) -> None:
    tokens_of([row.grant]).filter(~Q(type=Token.Type.AUTHORIZATION_CODE)).delete()
    row.key.revoked_at = now
    row.key.save(update_fields=["revoked_at"])
    log.note(THING, _shown(row), old={"key": row.key.name, "why": why})


def _shown(row: SignedProgram) -> str:
    return f"{row.key.owner.get_username()}: {row.name}"


def _free_name(program: str, person: User) -> str:
    """A name for the key that no other has: the program's and the person's, as far as they fit."""
    words = [re.sub(r"[^a-z0-9]+", "-", one.lower()).strip("-") for one in (program, person.get_username())]
    stem = "-".join(one[:_NAME_ROOM].strip("-") for one in words if one)[:27].strip("-") or "program"
    stem = stem if len(stem) > 1 else f"{stem}-1"
    taken = set(GatewayKey.objects.filter(name__startswith=stem, revoked_at=None).values_list("name", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := stem if n == 1 else f"{stem}-{n}") not in taken)

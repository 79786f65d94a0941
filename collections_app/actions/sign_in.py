"""Ends sign-ins to providers, and keeps the applications that this installation registered with them.

How a sign-in begins and is renewed is in `probes.sign_ins`. A key that somebody types over a sign-in ends it, so that
no renewal overwrites the key.
"""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.db.models import Q

from collections_app.actions.alert import clear_alert
from collections_app.journal import Journal, journal, require
from collections_app.models import Endpoint, OwnApp, Secret, SignIn
from collections_app.refusal import NotThere, Refused

TOPIC = "endpoints"
RAISER = "sign-in"
REFRESH = ".refresh"
CLIENT_ID = re.compile(r"[A-Za-z0-9._~:-]{3,200}")
CLIENT_ID_RULE = "A client id has 3 to 200 letters, digits and the signs . _ ~ : -"


def do_end_sign_in(*, actor: User | None, name: str) -> None:
    """Forget how the endpoint was signed in to, and its tokens. The endpoint stays, without a key."""
    require(actor, "collections_app.change_endpoint", "end sign-ins")
    row = SignIn.objects.select_related("endpoint").filter(endpoint__name=name).first()
    if row is None:
        raise NotThere([("endpoint", f"There is no endpoint “{name}” that is signed in.")])
    with journal(actor, TOPIC) as log:
        Secret.objects.filter(name=row.endpoint.key_name or name).delete()
        _forget(log, row)


def do_save_own_app(*, actor: User | None, provider: str, client_id: str) -> None:
    """The client id for later sign-ins to this provider; empty goes back to the shipped one. Endpoints that are signed
    in keep the id that they were signed in with.

    :raises Refused: it is none.
    """
    require(actor, "collections_app.add_endpoint", "choose the applications that sign in")
    client_id = client_id.strip()
    if client_id and CLIENT_ID.fullmatch(client_id) is None:
        raise Refused([("client_id", CLIENT_ID_RULE)])
    row = OwnApp.objects.filter(provider=provider).first()
    before = row.client_id if row else ""
    if before == client_id:
        return
    with journal(actor, TOPIC) as log:
        log.note("sign-in application", provider, old=before or None, new=client_id or None)
        if client_id:
            OwnApp.objects.update_or_create(provider=provider, defaults={"client_id": client_id})
        else:
            OwnApp.objects.filter(provider=provider).delete()


def forget_sign_ins(log: Journal, key_name: str) -> None:
    """Somebody typed a key of this name: what was signed in to by it no longer is."""
    by_name = Q(endpoint__key_name="", endpoint__name=key_name)
    for row in SignIn.objects.select_related("endpoint").filter(Q(endpoint__key_name=key_name) | by_name):
        _forget(log, row)


def forget_tokens(log: Journal, endpoint: Endpoint) -> None:
    """The endpoint goes: what it was signed in with is of no use to anybody."""
    row = SignIn.objects.select_related("endpoint").filter(endpoint=endpoint).first()
    if row is not None:
        Secret.objects.filter(name=endpoint.key_name or endpoint.name).delete()
        _forget(log, row)


def _forget(log: Journal, row: SignIn) -> None:
    name = row.endpoint.name
    Secret.objects.filter(name=f"{row.endpoint.key_name or name}{REFRESH}").delete()
    log.note("sign-in", name, old={"provider": row.provider}, new=None)
    row.delete()
    clear_alert(RAISER, name)

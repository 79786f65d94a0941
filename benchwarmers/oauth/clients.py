"""Which program it is that asks to be signed in, and what of its own words about itself is taken."""

from __future__ import annotations

import time
from typing import Final

from allauth.idp.oidc.models import Client
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from benchwarmers.dashboard.throttle import may_happen
from benchwarmers.oauth.documents import read_document
from benchwarmers.oauth.redirects import is_registered_as, may_lead_back
from collections_app.actions.signed_program import do_know_client, is_registered
from gateway.api.mcp_sign_in import SCOPE

FRESH_S: Final = 3_600
"""How long a document is taken to be what it was."""
READS: Final = 20
"""Documents that are fetched for one person in a quarter of an hour."""
MOST_REDIRECTS: Final = 20


class Unknown(Exception):
    """The program is not known, or wants people sent where they may not be. The text is a sentence for the person."""


def find_client(client_id: str, person: User) -> Client:
    """The program of this id. Fetches its document where it has one.

    :raises Unknown: there is none, or its document cannot be read.
    """
    row = Client.objects.filter(pk=client_id).first()
    if is_registered(client_id):
        if row is None:
            raise Unknown("This program is not registered here, or was forgotten because nobody used it.")
        return row
    if not settings.BENCH.sign_in.programs.documents:
        raise Unknown("Here programs register; this one names the address of a document about it instead.")
    if row is not None and time.time() - (row.data or {}).get("updated_at", 0) < FRESH_S:
        return row
    if not may_happen("document", str(person.pk), READS):
        raise Unknown("Too many programs were looked up for you; try again in a quarter of an hour.")
    try:
        found = read_document(client_id)
        settle(found)
    except ValidationError as error:
        raise Unknown(f"What {client_id} says of the program cannot be used: {' '.join(error.messages)}") from error
    found.data = {"updated_at": int(time.time())}
    do_know_client(found)
    return found


def settle(client: Client) -> None:
    """Make of what a program says of itself what is taken here: the one scope, codes and renewal, and those of its
    addresses to which people may be sent.

    :raises ValidationError: no address is left.
    """
    besides = settings.BENCH.sign_in.programs.redirects
    kept = [one for one in client.get_redirect_uris()[:MOST_REDIRECTS] if may_lead_back(one, besides)]
    if not kept:
        raise ValidationError(
            "No redirect address can be used: it must begin with https://, or with http:// and lead to localhost, "
            "127.0.0.1 or [::1], without a fragment or a name before an @."
        )
    client.name = "".join(letter for letter in client.name if letter.isprintable()).strip()
    client.set_redirect_uris(kept)
    client.set_scopes([SCOPE])
    client.set_default_scopes([SCOPE])
    client.set_grant_types([Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN])
    client.set_response_types([Client.ResponseType.CODE])


def check_redirect(client: Client, redirect: str) -> None:
    """:raises Unknown: the program did not register this address."""
    if not any(is_registered_as(redirect, one) for one in client.get_redirect_uris()):
        raise Unknown("The program wants you sent to an address that it did not register.")

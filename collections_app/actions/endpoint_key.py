"""The secrets of an endpoint: its key, its administration's key, and what signing in left. A key that a person enters
takes the place of a sign-in.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Q

from collections_app.actions.secret import do_remove_secret, do_save_secret
from collections_app.actions.sign_in import REFRESH, forget_sign_ins
from collections_app.journal import Journal, journal, require
from collections_app.models import Endpoint, Secret
from collections_app.refusal import NotThere, Refused
from collections_app.secret_headers import REFERENCE
from gateway.canon.names import key_variable

TOPIC = "endpoints"
ADMIN = "-admin"
MOST_NAMES = 100


def key_name_of(endpoint: Endpoint) -> str:
    """The name of the secret that opens it."""
    return endpoint.key_name or endpoint.name


def admin_key_name_of(endpoint: Endpoint) -> str:
    """The name of the secret that opens a hub's administration."""
    return endpoint.admin_key_name or f"{key_name_of(endpoint)}{ADMIN}"


def do_set_key(*, actor: User | None, name: str, plain: str, administration: bool = False) -> Secret:
    """Store the endpoint's key, or that of a hub's administration, in place of the one before. A sign-in ends with it.

    :raises Refused: what is entered is no secret.
    """
    row = _endpoint(name)
    require(actor, "collections_app.change_endpoint", "change endpoints")
    with journal(actor, TOPIC):
        secret = admin_key_name_of(row) if administration else key_name_of(row)
        return do_save_secret(actor=actor, name=secret, plain=plain)


def do_remove_key(*, actor: User | None, name: str, administration: bool = False) -> None:
    """Forget the stored key; a sign-in ends with it.

    :raises Refused: none is stored, or another endpoint uses it too.
    """
    row = _endpoint(name)
    require(actor, "collections_app.change_endpoint", "change endpoints")
    secret = admin_key_name_of(row) if administration else key_name_of(row)
    others = [other.name for other in Endpoint.objects.exclude(pk=row.pk) if secret in secrets_of(other)]
    if others:
        raise Refused([("key", f"The key {secret} also opens {', '.join(others)}; change that first.")])
    with journal(actor, TOPIC) as log:
        forget_sign_ins(log, secret)
        do_remove_secret(actor=actor, name=secret)


def forget_secrets(log: Journal, row: Endpoint) -> None:
    """Remove the secrets that nothing but this endpoint uses: whoever takes its name later must not get its key."""
    kept = {name for other in Endpoint.objects.exclude(pk=row.pk) for name in secrets_of(other)}
    if key_name_of(row) not in kept:
        forget_sign_ins(log, key_name_of(row))
    for secret in Secret.objects.filter(name__in=set(_own_secrets(row)) - kept):
        log.note("secret", secret.name, old="set", new="removed")
        secret.delete()


def free_name(wanted: str) -> str:
    """`wanted`, or with -2, -3 and so on: no endpoint has it, and no key is stored under it or comes from the
    environment by it.

    :raises Refused: all of them are taken.
    """
    for number in range(1, MOST_NAMES):
        name = wanted if number == 1 else f"{wanted[:28]}-{number}"
        endpoints = Endpoint.objects.filter(Q(name=name) | Q(key_name=name) | Q(admin_key_name=name))
        if not endpoints.exists() and not has_stray_key(name):
            return name
    raise Refused([("name", f"There are {MOST_NAMES - 1} endpoints called {wanted} already.")])


def has_stray_key(name: str) -> bool:
    """Whether an endpoint of this name, were there one, would find a key that was meant for something else."""
    stored = Secret.objects.filter(name__in=(name, name + REFRESH)).exists()
    return stored or bool(os.environ.get(key_variable(name), "").strip())


def secrets_of(row: Endpoint) -> Iterator[str]:
    """The names of all secrets that an endpoint may send."""
    yield from _own_secrets(row)
    for value in row.headers.values():
        if isinstance(value, str) and value.startswith(REFERENCE):
            yield value.removeprefix(REFERENCE)


def whose_secret(secret: str, *, besides: str) -> str:
    """The name of the endpoint whose key, refresh token or administration's key this secret is, other than `besides`;
    empty for what is nobody's."""
    others = Endpoint.objects.exclude(name=besides)
    return next((row.name for row in others if secret in _own_secrets(row)), "")


def _own_secrets(row: Endpoint) -> Iterator[str]:
    yield from (key_name_of(row), key_name_of(row) + REFRESH, admin_key_name_of(row))


def _endpoint(name: str) -> Endpoint:
    row = Endpoint.objects.filter(name=name).first()
    if row is None:
        raise NotThere([("endpoint", f"There is no endpoint “{name}”.")])
    return row

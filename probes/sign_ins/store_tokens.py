"""Writes of what a sign-in brought: tokens, the endpoint they open, the record of how they were come by, their renewal.

Tokens go into the vault, the refresh token before the token that it renews. The change log hears of a sign-in, never of
a token or the end of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from collections_app.actions.alert import clear_alert
from collections_app.actions.endpoint import TOPIC, do_save_endpoint
from collections_app.actions.endpoint_key import free_name, key_name_of
from collections_app.actions.sign_in import RAISER, REFRESH
from collections_app.announce import announce
from collections_app.journal import journal
from collections_app.models import Endpoint, OwnApp, Secret, Setting, SignIn
from collections_app.vault import VaultLocked, open_sealed, seal
from probes.sign_ins.providers import Provider
from probes.sign_ins.wire import Granted

HOST: Final = "sign-in-host"
LEASE: Final = timedelta(seconds=60)
"""Longer than a renewal takes."""


def save_grant(
    provider: Provider, granted: Granted, again: Endpoint | None, *, actor: User | None, client_id: str, now: datetime
) -> Endpoint:
    """A new endpoint under the first free name, or the one that signs in again, of which all else stays as it is; with
    its token. Raises Refused."""
    with journal(actor, TOPIC) as log:
        row = again or _new(provider, actor)
        key = key_name_of(row)
        if again is not None and not granted.refresh:
            Secret.objects.filter(name=key + REFRESH).delete()
        _keep_tokens(key, granted)
        _record(row, provider, granted, client_id, now)
        clear_alert(RAISER, row.name)
        said = {"provider": provider.id, "renews": bool(granted.refresh)}
        log.note("sign-in", row.name, new={**said, "again": True} if again else said)
    return row


def _new(provider: Provider, actor: User | None) -> Endpoint:
    Setting.objects.select_for_update().filter(id=1).first()  # one after the other, or two take the same name
    name = free_name(provider.name)
    return do_save_endpoint(actor=actor, name=name, key_name=name, **fields_of(provider))


def fields_of(provider: Provider) -> dict[str, Any]:
    """The fields of an endpoint at this provider."""
    return {
        "base": provider.base,
        "kind": provider.kind.value,
        "api": provider.api.value,
        "headers": dict(provider.headers),
        "models_url": provider.models_url,
    }


def keep_issued_id(provider: Provider, client_id: str) -> None:
    """The id that a provider has issued to this installation; the next sign-in needs it, whatever becomes of this."""
    OwnApp.objects.update_or_create(provider=provider.id, defaults={"client_id": client_id})


def host_id(fresh: UUID) -> str:
    """This installation's own id for providers, made once; made anew when no key opens it any more."""
    row, _ = Secret.objects.get_or_create(name=HOST, defaults={"cipher": seal(fresh.urn)})
    try:
        return open_sealed(row.cipher)
    except VaultLocked:
        _keep(HOST, fresh.urn)
        return fresh.urn


def lease(row: SignIn, now: datetime) -> bool:
    """True for the one caller of all processes that may renew it now."""
    free = Q(renewing_until=None) | Q(renewing_until__lte=now)
    until = now + LEASE
    same = SignIn.objects.filter(free, pk=row.pk, expires_at=row.expires_at, refreshes=True)
    if not same.update(renewing_until=until):
        return False
    row.renewing_until = until
    return True


def keep_renewed(row: SignIn, key: str, granted: Granted, expires_at: datetime | None, now: datetime) -> bool:
    """The new tokens, if the sign-in is still the one that was renewed."""
    with transaction.atomic():
        written = _mine(row).update(
            expires_at=expires_at, renewed_at=now, renewing_until=None, trouble="", refreshes=True
        )
        if written:
            _keep_tokens(key, granted)
            announce(TOPIC)
    return bool(written)


def keep_trouble(row: SignIn, sentence: str, not_before: datetime) -> bool:
    """Why it could not be renewed; the next try is no earlier than `not_before`."""
    with transaction.atomic():
        written = _mine(row).update(trouble=sentence[:300], renewing_until=not_before)
        if written:
            announce(TOPIC)
    return bool(written)


def _mine(row: SignIn) -> Any:
    return SignIn.objects.filter(pk=row.pk, renewing_until=row.renewing_until, expires_at=row.expires_at)


def _record(row: Endpoint, provider: Provider, granted: Granted, client_id: str, now: datetime) -> None:
    said: Mapping[str, Any] = {
        "provider": provider.id,
        "client_id": client_id,
        "at": now,
        "expires_at": now + timedelta(seconds=granted.expires_in) if granted.expires_in else None,
        "refreshes": bool(granted.refresh),
        "renewed_at": None,
        "renewing_until": None,
        "trouble": "",
    }
    SignIn.objects.update_or_create(endpoint=row, defaults=said)


def _keep_tokens(key: str, granted: Granted) -> None:
    if granted.refresh:
        _keep(key + REFRESH, granted.refresh)
    _keep(key, granted.token)


def _keep(name: str, plain: str) -> None:
    Secret.objects.update_or_create(name=name, defaults={"cipher": seal(plain), "hint": ""})

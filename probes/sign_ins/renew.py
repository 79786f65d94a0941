"""Renewing sign-ins that end soon, one at a time over all processes. Sync."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from collections_app.actions.alert import Raised, clear_alert, raise_alert
from collections_app.actions.endpoint_key import key_name_of
from collections_app.actions.sign_in import RAISER, REFRESH
from collections_app.models import SignIn
from collections_app.vault import VaultLocked, secret_for
from gateway.canon.kinds import AlertKind
from probes.sign_ins import store_tokens, wire
from probes.sign_ins.desk import Desk
from probes.sign_ins.wire import Granted, SignInFailed

AHEAD: Final = timedelta(seconds=300)
AGAIN: Final = "sign in again on the Endpoints page"
PAUSE: Final = timedelta(seconds=60)
PAUSE_REFUSED: Final = timedelta(hours=1)


def due(now: datetime) -> list[SignIn]:
    """Those that renew, end within five minutes, and that nobody renews or has just tried to."""
    free = Q(renewing_until=None) | Q(renewing_until__lte=now)
    ending = SignIn.objects.filter(free, refreshes=True, expires_at__lte=now + AHEAD)
    return list(ending.select_related("endpoint").order_by("expires_at"))


def renew_due(desk: Desk) -> int:
    """Renew all that are due; how many were."""
    return sum(renew(desk, row) for row in due(desk.clock()))


def renew(desk: Desk, row: SignIn) -> bool:
    """Renew one that was due; False when another does, or when it could not be."""
    if not store_tokens.lease(row, desk.clock()):
        return False
    key = key_name_of(row.endpoint)
    try:
        granted = _ask(desk, row, key)
    except SignInFailed as why:
        _tell(desk, row, why)
        return False
    now = desk.clock()
    if not store_tokens.keep_renewed(row, key, granted, _end_of(row, granted, now), now):
        return False  # somebody signed in again meanwhile, or typed a key
    clear_alert(RAISER, row.endpoint.name)
    return True


def _ask(desk: Desk, row: SignIn, key: str) -> Granted:
    provider = desk.providers.get(row.provider)
    if provider is None:
        raise SignInFailed(f"there is no provider {row.provider} any more")
    try:
        refresh = secret_for(key + REFRESH)
    except VaultLocked:
        raise SignInFailed("the stored refresh token cannot be opened") from None
    if not refresh:
        raise SignInFailed("there is no refresh token")
    wanted = wire.renew_request(provider, refresh=refresh, client_id=row.client_id)
    return wire.read_granted(wanted, desk.fetch(wanted))


def _end_of(row: SignIn, granted: Granted, now: datetime) -> datetime | None:
    """When the new token ends. A provider that does not say again how long means as long as before."""
    if granted.expires_in:
        return now + timedelta(seconds=granted.expires_in)
    return now + (row.expires_at - (row.renewed_at or row.at)) if row.expires_at else None


def _tell(desk: Desk, row: SignIn, why: SignInFailed) -> None:
    """A refusal needs somebody; a provider that cannot be reached does so only once the token has ended."""
    now = desk.clock()
    sentence = f"{row.endpoint.name} could not renew its sign-in ({str(why)[:180]}): {AGAIN}."
    if not store_tokens.keep_trouble(row, sentence, now + (PAUSE_REFUSED if why.final else PAUSE)):
        return
    if why.final or (row.expires_at is not None and row.expires_at <= now):
        raised = Raised(row.endpoint.name, AlertKind.SIGN_IN, sentence, endpoint=row.endpoint.name)
        raise_alert(RAISER, raised, now)

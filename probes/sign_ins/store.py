"""Rows of sign-ins under way. Each step is one conditional statement, so that of any number of callbacks and polls one
alone goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from django.contrib.auth.models import User
from django.db.models import F, Q
from msgspec import Struct

from collections_app.announce import tell_pages
from collections_app.models import SignInSession
from collections_app.vault import open_sealed, seal
from probes.sign_ins.wire import LONGEST_INTERVAL_S, DeviceCode, Granted

LIFE: Final = timedelta(minutes=15)
KEPT: Final = timedelta(days=1)
ASKING: Final = timedelta(seconds=45)
"""Longer than a request for a token may take: one that is not over by then died with its process."""
TOPIC: Final = "sign-ins"
LOST: Final = "The server was stopped in the middle of this sign-in; begin it again."
EXPIRED: Final = "Nobody agreed within the time for it; begin the sign-in again."


class Sealed(Struct, omit_defaults=True):
    """What of a session must stay secret: its id, the verifier, the device's code; after the exchange what came of it.
    `origin` is where the browser was, `url` the provider's page."""

    id: str = ""
    verifier: str = ""
    device_code: str = ""
    url: str = ""
    origin: str = ""
    granted: Granted | None = None


def open_session(
    *,
    provider: str,
    flow: str,
    by: User,
    now: datetime,
    sealed: Sealed,
    client_id: str,
    redirect: str = "",
    endpoint_name: str = "",
    device: DeviceCode | None = None,
) -> SignInSession:
    """A new one, pending for a quarter of an hour, or as long as the device's code lives."""
    life = LIFE
    if device is not None and device.expires_in is not None:
        life = min(life, timedelta(seconds=device.expires_in))
    return SignInSession.objects.create(
        digest=digest_of(sealed.id),
        provider=provider,
        flow=flow,
        endpoint_name=endpoint_name,
        by=by,
        sealed=_closed(sealed),
        client_id=client_id,
        redirect=redirect,
        user_code=device.user_code if device else "",
        verify_url=device.verify_url if device else "",
        interval_s=device.interval if device else 5,
        polled_at=now if device else None,
        created_at=now,
        expires_at=now + life,
    )


def digest_of(session_id: str) -> str:
    return sha256(session_id.encode()).hexdigest()


def find(session_id: str) -> SignInSession | None:
    """The session of this id, in whatever state."""
    return SignInSession.objects.filter(digest=digest_of(session_id)).select_related("by").first()


def opened(session: SignInSession) -> Sealed:
    """Raises VaultLocked when no key fits."""
    return msgspec.json.decode(open_sealed(session.sealed), type=Sealed) if session.sealed else Sealed()


def take(session: SignInSession, now: datetime) -> bool:
    """Mark it used. True for the one caller that may exchange its code."""
    return _step(
        SignInSession.objects.filter(pk=session.pk, state="pending", expires_at__gt=now),
        session,
        state="exchanging",
        polled_at=now,
    )


def note_client_id(session: SignInSession, client_id: str) -> None:
    """The id that the provider has issued in place of the one it was begun with."""
    session.client_id = client_id
    session.save(update_fields=["client_id"])


def begin_poll(session: SignInSession, now: datetime) -> bool:
    """True for the one caller that may ask for the token now: the interval is over, and nobody asks."""
    last = session.polled_at
    if last is not None and now < last + timedelta(seconds=session.interval_s):
        return False
    same = Q(polled_at=last) if last is not None else Q(polled_at=None)
    pending = SignInSession.objects.filter(same, pk=session.pk, state="pending", expires_at__gt=now)
    # Until the answer is there, the last poll lies in the future.
    return _step(pending, session, polled_at=now + ASKING)


def end_poll(session: SignInSession, now: datetime, *, slower_s: int = 0) -> None:
    """Nobody has agreed; the next may ask after the interval, which `slower_s` makes longer."""
    longer = min(LONGEST_INTERVAL_S, session.interval_s + slower_s)
    mine = SignInSession.objects.filter(pk=session.pk, state="pending", polled_at=session.polled_at)
    _step(mine, session, polled_at=now, interval_s=longer)


def keep_granted(session: SignInSession, granted: Granted, now: datetime) -> bool:
    """The provider has given the token, and gives it once: keep it before anything else is tried."""
    sealed = opened(session)
    sealed.granted, sealed.verifier, sealed.device_code = granted, "", ""
    mine = SignInSession.objects.filter(pk=session.pk, state__in=("pending", "exchanging"), polled_at=session.polled_at)
    return _step(mine, session, state="exchanging", sealed=_closed(sealed), polled_at=now)


def take_up(session: SignInSession, now: datetime) -> bool:
    """True for the one caller that may go on with a session whose process is gone."""
    left = SignInSession.objects.filter(pk=session.pk, state="exchanging", polled_at=session.polled_at)
    return (
        session.polled_at is not None and session.polled_at <= now - ASKING * 2 and _step(left, session, polled_at=now)
    )


def end(session: SignInSession, state: str, result: Mapping[str, Any]) -> bool:
    """Done or failed; False when another has ended it. Its secrets go."""
    open_yet = SignInSession.objects.filter(pk=session.pk, state__in=("pending", "exchanging"))
    if state == "done":
        open_yet = open_yet.filter(polled_at=session.polled_at)
    ended = _step(open_yet, session, state=state, result=dict(result), sealed="")
    if ended:
        tell_pages(TOPIC)
    return ended


def fail(session: SignInSession, sentence: str) -> bool:
    return end(session, "failed", {"errors": [sentence]})


def expire(now: datetime) -> None:
    """End those that nobody finished, and forget those of yesterday."""
    for session in SignInSession.objects.filter(state="pending", expires_at__lte=now):
        fail(session, EXPIRED)
    SignInSession.objects.filter(created_at__lt=now - KEPT).exclude(state="exchanging").delete()


def left_behind(now: datetime) -> list[SignInSession]:
    """Those whose exchange was begun, and whose process is gone."""
    return list(SignInSession.objects.filter(state="exchanging", polled_at__lte=now - ASKING * 2).select_related("by"))


def to_poll(now: datetime) -> list[SignInSession]:
    """Those by code that are pending and may be asked about, the longest unasked first."""
    waiting = SignInSession.objects.filter(state="pending", flow="device", expires_at__gt=now)
    asked = waiting.filter(polled_at__lte=now).order_by(F("polled_at").asc()).select_related("by")
    return [one for one in asked if one.polled_at and one.polled_at + timedelta(seconds=one.interval_s) <= now]


def _step(query: Any, session: SignInSession, **fields: Any) -> bool:
    if not query.update(**fields):
        return False
    for name, value in fields.items():
        setattr(session, name, value)
    return True


def _closed(sealed: Sealed) -> str:
    return seal(msgspec.json.encode(sealed).decode())

"""Sends new alerts out: by e-mail to those whom the settings name, and to a webhook. Each alert once by each way.

An alert waits a minute, so that those of one cause come in one message and what passes by itself is not told. What
could not be sent is tried again at the next turn, and is itself an alert until it goes through.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage

from collections_app.actions.alert import Raised, clear_alert, raise_alert
from collections_app.models import Alert, Setting
from collections_app.vault import VaultLocked, secret_for
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import AlertKind
from gateway.engine.fetch import Fetched, fetch_document
from probes.alerts.message import Message, Wrong, write_message
from probes.alerts.store import mark_told
from probes.side import side

RAISER: Final = "alerts"
MAIL, HOOK = "e-mail", "webhook"
WAIT: Final = timedelta(minutes=1)
Post = Callable[[str, bytes], Fetched]
log = logging.getLogger(__name__)


class Unsent(Exception):
    """A way out did not work; the text says why, without the address of a webhook, which is a secret."""


def tell_alerts(now: datetime, post: Post | None = None) -> int:
    """How many alerts went out, by one way or both. `post` sends a webhook's body; for tests."""
    setting = Setting.load()
    told = 0
    if setting.alert_mail:
        told += _by("mailed_at", MAIL, lambda message: _mail(setting.alert_mail, message), now)
    if setting.alert_hook:
        told += _by("hooked_at", HOOK, lambda message: _hook(setting.alert_hook, message, post or _post), now)
    for way, wanted in ((MAIL, setting.alert_mail), (HOOK, setting.alert_hook)):
        if not wanted and Alert.objects.filter(raiser=RAISER, key=way).exists():
            clear_alert(RAISER, way)  # a way that nobody wants any more is in no trouble
    return told


def _by(field: str, way: str, send: Callable[[Message], None], now: datetime) -> int:
    new = list(
        Alert.objects.filter(first_seen__lte=now - WAIT, **{f"{field}__isnull": True})
        .exclude(raiser=RAISER)
        .select_related("language_model", "endpoint")
    )
    if not new:
        return 0
    try:
        send(write_message([_wrong(alert) for alert in new], settings.BENCH.address))
    except Unsent as why:
        log.warning("alerts did not go out by %s: %s", way, why)
        raise_alert(RAISER, Raised(way, AlertKind.CONNECTION, f"Alerts do not go out by {way}: {why}"), now)
        return 0
    mark_told([alert.pk for alert in new], field, now)
    clear_alert(RAISER, way)
    return len(new)


def _wrong(alert: Alert) -> Wrong:
    about = alert.language_model or alert.endpoint
    return Wrong(alert.kind, str(about) if about else alert.connection, alert.message)


def _mail(to: str, message: Message) -> None:
    if not settings.EMAIL_HOST:
        raise Unsent("there is no server for e-mail: set BENCHWARMERS_SMTP_URL")
    mail = EmailMessage(
        message.subject, message.text, settings.DEFAULT_FROM_EMAIL, [one.strip() for one in to.split(",")]
    )
    try:
        mail.send()
    except (SMTPException, OSError) as error:
        raise Unsent(f"{type(error).__name__}: {error}"[:200]) from error


def _hook(name: str, message: Message, post: Post) -> None:
    try:
        address = secret_for(name)
    except VaultLocked as locked:
        raise Unsent(str(locked)) from locked
    if not address:
        raise Unsent(f"the secret {name}, which holds its address, has no value")
    if not address.startswith(("http://", "https://")):
        raise Unsent(f"the secret {name} holds no address that begins with http:// or https://")
    try:
        reply = post(address, message.hook)
    except UpstreamFault as fault:
        raise Unsent(fault.message.replace(address, "[its address]")[:200]) from fault
    if not reply.ok:
        raise Unsent(f"it answered with status {reply.status}")


def _post(address: str, body: bytes) -> Fetched:
    return side().with_transport(
        lambda transport: fetch_document(
            transport,
            "POST",
            address,
            headers={"content-type": "application/json"},
            body=body,
            secrets=(address,),
        )
    )

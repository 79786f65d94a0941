"""Raises alerts and takes them back. An alert is its raiser's: nobody else clears it, except with the model that it is
about, or somebody who says that it is settled; if it is not, its raiser raises it again.

Alerts say how things stand and are no changes of the catalogue, so they leave no line in the change log; what people do
about them does.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct

from collections_app.announce import tell_pages
from collections_app.journal import journal, require
from collections_app.models import Alert, Endpoint, LanguageModel
from gateway.canon.kinds import AlertKind

TOPIC = "alerts"


class Raised(Struct, frozen=True):
    """Something that is wrong. `key` names it among its raiser's; `alias` and `endpoint` are what it is about,
    `aliases` all models where it is about several."""

    key: str
    kind: AlertKind
    message: str
    alias: str = ""
    endpoint: str = ""
    connection: str = ""
    aliases: tuple[str, ...] = ()


def raise_alert(raiser: str, raised: Raised, now: datetime) -> Alert:
    """The alert as it stands now; one of this raiser and key keeps when it was first seen."""
    model = LanguageModel.objects.filter(alias=raised.alias).first() if raised.alias else None
    endpoint = Endpoint.objects.filter(name=raised.endpoint).first() if raised.endpoint else None
    said = {
        "kind": raised.kind,
        "message": " ".join(raised.message.split())[:500],
        "language_model": model,
        "endpoint": endpoint,
        "connection": raised.connection[:100],
        "aliases": list(raised.aliases),
        "last_seen": now,
    }
    alert, _ = Alert.objects.update_or_create(
        raiser=raiser, key=raised.key[:250], defaults=said, create_defaults={**said, "first_seen": now}
    )
    tell_pages(TOPIC)
    return alert


def settle_alerts(raiser: str, wrong: Iterable[Raised], now: datetime) -> None:
    """Make this raiser's alerts be exactly these."""
    with transaction.atomic():
        kept = [raise_alert(raiser, one, now).pk for one in wrong]
        gone, _ = Alert.objects.filter(raiser=raiser).exclude(pk__in=kept).delete()
    if gone:
        tell_pages(TOPIC)


def clear_alert(raiser: str, key: str) -> bool:
    """Take it back; whether there was one."""
    gone, _ = Alert.objects.filter(raiser=raiser, key=key[:250]).delete()
    if gone:
        tell_pages(TOPIC)
    return bool(gone)


def do_settle_alert(*, actor: User | None, alert: Alert) -> None:
    """Take it back by hand, and note who did.

    :raises NotAllowed: unless `actor` may change alerts.
    """
    require(actor, "collections_app.change_alert", "settle alerts")
    with journal(actor, TOPIC) as log:
        alert.delete()
        log.note("alert", alert.key, old=f"{alert.kind}: {alert.message}")


def clear_alerts_about(model: LanguageModel) -> None:
    """What was wrong with a model that is no longer on the bench needs no action."""
    if Alert.objects.filter(language_model=model).delete()[0]:
        tell_pages(TOPIC)

"""Says when a model that was free costs money: once a model, until it is free again, allowed or retired."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from collections_app.actions.alert import Raised, clear_alert, raise_alert
from collections_app.actions.paid import RAISER, paid_key
from collections_app.models import Alert, LanguageModel
from gateway.canon.kinds import AlertKind
from probes.catalog.connections import connection_of
from probes.catalog.paid import paid_since, words_of
from probes.catalog.said import free_of
from probes.catalog.store import Priced, set_paid


def settle_paid(priced: Iterable[Priced], paid: frozenset[str], now: datetime) -> list[str]:
    """Note which of these models went paid or are free again, and raise or clear their alerts; a sentence for each of
    which that is news. `paid` are the connections that cost money anyway."""
    told: list[str] = []
    open_keys = set(Alert.objects.filter(raiser=RAISER).values_list("key", flat=True))
    for one in priced:
        model, key = one.model, paid_key(one.model)
        since = paid_since(
            model.went_paid_at,
            served=model.served,
            before=one.before,
            now=one.after,
            paid_connection=connection_of(model) in paid,
            at=now,
        )
        news = set_paid(model, since)
        if news:
            told.append(f"{model.alias} {'went paid: ' + words_of(one.after) if since else 'is free again'}")
        wanted = since is not None and not model.allow_paid
        if wanted and (news or key not in open_keys or one.before != one.after):
            raise_alert(RAISER, _raised(one), now)
        elif not wanted and key in open_keys:
            clear_alert(RAISER, key)
    return told


def _raised(one: Priced) -> Raised:
    model = one.model
    was = words_of(one.before) if free_of(one.before) is True else "$0.00"
    return Raised(
        key=paid_key(model),
        kind=AlertKind.WENT_PAID,
        message=(
            f"{model.alias} ({model.served} on {model.endpoint.name}) was free ({was}) and now costs "
            f"{words_of(one.after)}. It is not called until you allow it to cost money, retire it, or point it at a "
            "free one."
        ),
        alias=model.alias,
        endpoint=model.endpoint.name,
        connection=connection_of(model),
    )


def forget_gone(models: Iterable[LanguageModel]) -> None:
    """Take back what was said of served names that none of these models has any more."""
    keys = {paid_key(model) for model in models}
    for key in Alert.objects.filter(raiser=RAISER).values_list("key", flat=True):
        if key not in keys:
            clear_alert(RAISER, key)


def clear_paid(models: Iterable[LanguageModel]) -> int:
    """These cost money as everything on their connection does: nothing went paid. How many that concerned."""
    cleared = 0
    for model in models:
        cleared += set_paid(model, None)
        clear_alert(RAISER, paid_key(model))
    return cleared

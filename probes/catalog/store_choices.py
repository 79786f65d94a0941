"""What people say of providers and connections: which free models answer in their own application alone, which
connections cost money anyway, and which provider of models.dev a connection is.
"""

from __future__ import annotations

import re
from typing import Final

from django.contrib.auth.models import User

from collections_app.journal import journal, require
from collections_app.models import LanguageModel
from collections_app.refusal import Problems
from probes.catalog.alerts import clear_paid
from probes.catalog.connections import connection_of
from probes.catalog.names import OWN_APP_ONLY
from probes.models import ConnectionFact, Offer, OwnAppProvider

TOPIC: Final = "models"
CONNECTION: Final = re.compile(r"[\w.?-][\w. :/?-]{0,99}")


def own_app_only() -> frozenset[str]:
    """The providers whose free models answer in their own application alone."""
    said = dict(OwnAppProvider.objects.values_list("provider", "only"))
    return frozenset(name for name in OWN_APP_ONLY | said.keys() if said.get(name, name in OWN_APP_ONLY))


def do_set_own_app(*, actor: User | None, provider: str, only: object) -> None:
    """Say that a provider's free models answer in its own application alone, or that they do not. Kept where it is not
    as the table of providers has it.

    :raises Refused: no such provider offers anything, or `only` is neither true nor false.
    """
    require(actor, "probes.change_ownappprovider", "say where free models answer")
    problems = Problems()
    known = provider in OWN_APP_ONLY or Offer.objects.filter(provider=provider).exists()
    problems.check(known, "provider", f"No provider “{provider[:64]}” is known.")
    problems.check(isinstance(only, bool), "only", "only is true or false.")
    problems.refuse()
    before = provider in own_app_only()
    if before == only:
        return
    with journal(actor, TOPIC) as log:
        log.note("provider", provider, "own app only", old=before, new=only)
        if only == (provider in OWN_APP_ONLY):
            OwnAppProvider.objects.filter(provider=provider).delete()
        else:
            OwnAppProvider.objects.update_or_create(provider=provider, defaults={"only": only is True})


def do_set_connection(*, actor: User | None, connection: str, paid: bool, models_dev: str) -> None:
    """Say what a connection is. On one that is paid anyway nothing goes paid, and what had is called again.

    :raises Refused: its name cannot be one, or no such provider offers anything.
    """
    require(actor, "probes.change_connectionfact", "say what connections are")
    connection, models_dev = connection.strip(), models_dev.strip()
    problems = Problems()
    problems.check(
        CONNECTION.fullmatch(connection) is not None,
        "connection",
        "A connection's name has 1 to 100 letters, digits, dots, hyphens and underscores.",
    )
    known = not models_dev or Offer.objects.filter(provider=models_dev).exists()
    problems.check(known, "models_dev", f"models.dev has no provider “{models_dev[:64]}”.")
    problems.refuse()
    row = ConnectionFact.objects.filter(connection=connection).first() or ConnectionFact(connection=connection)
    before = {"paid": row.paid, "models_dev": row.models_dev}
    after = {"paid": paid, "models_dev": models_dev}
    with journal(actor, TOPIC) as log:
        if not log.note_fields("connection", connection, before, after):
            return
        if not paid and not models_dev:
            ConnectionFact.objects.filter(connection=connection).delete()
            return
        row.paid, row.models_dev = paid, models_dev
        row.save()
        if paid:
            models = LanguageModel.objects.filter(went_paid_at__isnull=False).select_related("endpoint")
            clear_paid([model for model in models if connection_of(model) == connection])

"""Another model answers under a model's name: what people said of the one before is set aside, and counted again when
that was a mistake. Nothing is deleted; the standings are made anew."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from collections_app.actions.alert import clear_alert
from collections_app.actions.language_model import TOPIC, load_model
from collections_app.journal import LOCAL, journal, require
from collections_app.models import LanguageModel
from collections_app.standings_store import rebuild_standings

RAISER: Final = "fingerprint"
RIGHT: Final = "collections_app.change_languagemodel"


def do_set_evidence_aside(*, actor: User | None, alias: str, since: datetime, by: str = LOCAL) -> LanguageModel:
    """Work from before `since` counts in no standing of the model, whenever it is judged.

    :raises Refused: no such model.
    :raises NotAllowed: the actor may not change models.
    """
    require(actor, RIGHT, "set verdicts aside")
    return _count_since(actor, alias, since, by)


def do_count_evidence_again(*, actor: User | None, alias: str) -> LanguageModel:
    """All work of the model counts again, and the alert that it has changed needs no action any more. A model of which
    nothing is set aside is left as it is.

    :raises Refused: no such model.
    :raises NotAllowed: the actor may not change models.
    """
    require(actor, RIGHT, "count verdicts again")
    row = _count_since(actor, alias, None, LOCAL)
    clear_alert(RAISER, alert_key(row))
    return row


def alert_key(model: LanguageModel) -> str:
    """The key of the alert that this model has changed."""
    return f"model:{model.pk}"


def _count_since(actor: User | None, alias: str, since: datetime | None, by: str) -> LanguageModel:
    row = load_model(alias)
    if row.evidence_since == since:
        return row
    with journal(actor, TOPIC, by=by) as log:
        before = row.evidence_since
        log.note(
            "model", row.alias, "evidence_since", old=before and before.isoformat(), new=since and since.isoformat()
        )
        row.evidence_since = since
        row.save(update_fields=["evidence_since"])
        rebuild_standings(row.pk)
    return row

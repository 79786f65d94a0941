"""Whether a model that went paid is called all the same."""

from __future__ import annotations

from django.contrib.auth.models import User

from collections_app.actions.alert import clear_alert
from collections_app.actions.language_model import load_model
from collections_app.journal import journal, require
from collections_app.models import LanguageModel

RAISER = "catalog"
TOPIC = "models"


def paid_key(model: LanguageModel) -> str:
    """The key of the alert that a model went paid. Its endpoint must have been loaded."""
    return f"model:paid:{model.endpoint.name}:{model.served}"


def do_allow_paid(*, actor: User | None, alias: str, allowed: bool) -> LanguageModel:
    """Call the model though it costs money now, or no longer. Allowing it settles its alert; taking that back lets the
    next refresh of the catalogue raise it again.

    :raises NotThere: there is no such model.
    """
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "say what may cost money")
    with journal(actor, TOPIC) as log:
        if log.note_fields("model", row.alias, {"allow_paid": row.allow_paid}, {"allow_paid": allowed}):
            row.allow_paid = allowed
            row.save(update_fields=["allow_paid"])
        if allowed:
            clear_alert(RAISER, paid_key(row))
    return row

"""Points a model to the name by which its hub lists it now, after a connection got a prefix, lost or changed it."""

from __future__ import annotations

from django.contrib.auth.models import User

from collections_app.actions.language_model import TOPIC, load_model
from collections_app.journal import journal, require
from collections_app.models import LanguageModel
from collections_app.refusal import Problems


def do_repoint_model(*, actor: User | None, alias: str, served: str) -> LanguageModel:
    """The model serves under this name from now on. Its alias and its evidence stay.

    :raises Refused: the name is no other form of the present one, or its endpoint serves it under another alias.
    """
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "change models")
    problems = Problems()
    bare = served.partition(".")[2]
    other_prefix = bool(bare) and bare == row.served.partition(".")[2]
    same = other_prefix or served.endswith(f".{row.served}") or row.served.endswith(f".{served}")
    problems.check(
        bool(served) and same,
        "served",
        f"“{served}” is not {row.served} with another prefix or without; register it anew.",
    )
    twin = (
        LanguageModel.objects.filter(served=served, endpoint=row.endpoint, retired_at=None).exclude(pk=row.pk).first()
    )
    if twin is not None:
        problems.add("served", f"{row.endpoint} serves {served} as {twin.alias} already.")
    problems.refuse()
    with journal(actor, TOPIC) as log:
        if log.note_fields("model", row.alias, {"served": row.served}, {"served": served}):
            row.served = served
            row.save(update_fields=["served"])
    return row

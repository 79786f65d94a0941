"""Keeps what probes found a model to be able to do. Only what it can is kept: that it did not do a thing once does not
show that it cannot."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from collections_app.journal import journal
from collections_app.models import Fact, LanguageModel
from probes.asking import Seen

SOURCE: Final = "probe"
TOPIC: Final = "models"
ABILITIES: Final = {"tools": "tools", "schema": "structured_output", "image": "vision", "reasoning": "reasoning"}
"""The fact that a right answer shows, by the question's name."""


def note_ability(model: LanguageModel, seen: Seen, at: datetime) -> str:
    """The ability that this answer shows, kept as a fact; empty when it shows none. One that was known already is only
    dated anew."""
    field = ABILITIES.get(seen.prompt, "")
    if not field or seen.passed is not True:
        return ""
    evidence = f"the {seen.prompt} question of {at:%Y-%m-%d} was answered right"
    known = Fact.objects.filter(language_model=model, field=field, source=SOURCE)
    before = known.first()
    if before is not None and before.value is True:
        known.update(evidence=evidence, seen_at=at)
        return field
    with journal(None, TOPIC, by=SOURCE) as log:
        log.note("model", model.alias, f"found {field}", old=before.value if before else None, new=True)
        said = {"value": True, "evidence": evidence}
        Fact.objects.update_or_create(language_model=model, field=field, source=SOURCE, defaults=said)
    return field

"""Keeps what providers' errors and answers taught of a model, as learned facts. Runs inside the engine's own
transaction."""

from __future__ import annotations

from typing import Any

from collections_app.facts import CAPABILITIES, LIMIT_AXES, NUMBERS
from collections_app.journal import journal
from collections_app.models import Fact, LanguageModel

TOPIC = "models"
LEARNED = "learned"
SERVED_AS = "served_as"
LONGEST = 200


def write_learned(language_model_id: int | None, field: str, value: Any, evidence: str) -> bool:
    """Take a lesson in, if it says more than what was learned before: a number or an axis of the limits only when it is
    lower, an ability only when it is granted, and who answers under the model's name only when it is another. Whether
    it was taken. A model that is gone has nothing to learn."""
    model = None if language_model_id is None else LanguageModel.objects.filter(pk=language_model_id).first()
    if model is None:
        return False
    # Locked where the database can: two processes may learn of one model at once.
    fact = Fact.objects.select_for_update().filter(language_model=model, field=field, source=LEARNED).first()
    before = fact.value if fact else None
    after = _tightened(field, before, value)
    if after is None or after == before:
        return False
    with journal(None, TOPIC, by=LEARNED) as log:
        log.note("model", model.alias, f"{LEARNED} {field}", old=before, new=after)
        Fact.objects.update_or_create(
            language_model=model,
            field=field,
            source=LEARNED,
            defaults={"value": after, "evidence": _storable(evidence)[:LONGEST]},
        )
    return True


def _tightened(field: str, before: Any, value: Any) -> Any:
    """What is to be kept of both; None where the new value is no lesson."""
    if field in CAPABILITIES:
        return True if value is True else None
    if field in NUMBERS:
        return _lower(before, value)
    if field == "limits":
        kept = dict(before) if isinstance(before, dict) else {}
        for axis, most in value.items() if isinstance(value, dict) else ():
            lower = _lower(kept.get(axis), most)
            if axis in LIMIT_AXES and lower is not None:
                kept[axis] = lower
        return kept or None
    return _storable(value) if field == SERVED_AS and isinstance(value, str) and value else None


def _storable(text: str) -> str:
    """Postgres holds no NUL in a text; a provider may send one."""
    return text.replace("\0", "\ufffd")


def _lower(before: Any, value: Any) -> int | None:
    if type(value) is not int or value <= 0:
        return None
    return min(value, before) if type(before) is int else value

"""Keeps what a model's dialect was found to need, as a learned fact. Runs inside the engine's own transaction."""

from __future__ import annotations

from collections.abc import Iterable

from collections_app.models import Fact


def write_quirks(language_model_id: int, quirks: Iterable[str]) -> None:
    """Adds to what was learned before. The snapshot sees it at its next reading."""
    fact, _ = Fact.objects.get_or_create(
        language_model_id=language_model_id, field="quirks", source="learned", defaults={"value": {}}
    )
    fact.value = {**fact.value, **dict.fromkeys(quirks, True)}
    fact.evidence = "the endpoint refused another way of asking"
    fact.save()

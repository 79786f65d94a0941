"""Gives the collections of a running installation their members, and their models some facts.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os
from typing import Any

FACTS: dict[str, dict[str, Any]] = {
    "granite-l": {
        "context_window": 131_072,
        "tools": True,
        "structured_output": True,
        "limits": {"rpm": 60, "tpd": 500_000},
    },
    "heron-70b": {"context_window": 32_768, "tools": True, "vision": True, "prices": {"input": 0.5, "output": 1.5}},
    "osprey": {"context_window": 200_000, "tools": True, "vision": True, "structured_output": True},
    "quill-2": {"tools": False, "prices": {"input": 0, "output": 0}},
    "tern-mini": {"context_window": 8_192, "vision": False},
    "wren": {"context_window": 1_048_576, "tools": True},
}
COLLECTIONS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    (
        "core",
        ("granite-l", "heron-70b", "osprey"),
        {"description": "The three that everybody starts with.", "tags": "second-opinion, tools"},
    ),
    (
        "reviewers",
        ("granite-l", "osprey"),
        {"shape": "review", "reply": "merged", "merger": "granite-l", "tags": "review, security", "ranking": "bayes"},
    ),
    ("quick", ("tern-mini", "wren", "quill-2"), {"reply": "route", "tags": "fast, free", "shadow": {"share": 0.1}}),
    ("practice", ("warmup-one", "warmup-two"), {"description": "Scripted answers: needs no provider."}),
)


def sit() -> None:
    """Once; the same again changes nothing."""
    from collections_app.actions.alias import do_save_alias
    from collections_app.actions.collection import do_save_collection
    from collections_app.models import Fact, LanguageModel

    for alias, known in FACTS.items():
        model = LanguageModel.objects.get(alias=alias)
        for field, value in known.items():
            Fact.objects.update_or_create(
                language_model=model, field=field, source="operator", defaults={"value": value}
            )
    for name, members, more in COLLECTIONS:
        do_save_collection(actor=None, name=name, members=members, **more)
    do_save_alias(actor=None, name="gpt-5.5", target="bench/core:route")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    sit()

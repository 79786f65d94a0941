"""The catalogue's admin pages, one concept a file."""

from collections_app.admin import (
    alias,
    collection,
    decision,
    endpoint,
    evidence,
    key,
    language_model,
    limit,
    person,
    secret,
    setting,
)

__all__ = [
    "alias",
    "collection",
    "decision",
    "endpoint",
    "evidence",
    "key",
    "language_model",
    "limit",
    "person",
    "secret",
    "setting",
]

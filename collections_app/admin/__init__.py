"""The catalogue's admin pages, one concept a file."""

from collections_app.admin import (
    alias,
    collection,
    decision,
    endpoint,
    evidence,
    invitation,
    key,
    language_model,
    limit,
    person,
    program,
    secret,
    setting,
    team,
)

__all__ = [
    "alias",
    "collection",
    "decision",
    "endpoint",
    "evidence",
    "invitation",
    "key",
    "language_model",
    "limit",
    "person",
    "program",
    "secret",
    "setting",
    "team",
]

"""The languages that changes can be planted in, by name. A grammar is loaded when its language is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from suite.seeding.site import Language

_WHERE: Final = {
    "python": ("suite.seeding.python", "Python"),
    "javascript": ("suite.seeding.trees", "JavaScript"),
    "typescript": ("suite.seeding.trees", "TypeScript"),
    "go": ("suite.seeding.trees", "Go"),
}
LANGUAGES: Final = tuple(_WHERE)


def language(name: str) -> Language:
    """The language. Raises KeyError."""
    module, kind = _WHERE[name]
    found: Language = getattr(import_module(module), kind)()
    return found

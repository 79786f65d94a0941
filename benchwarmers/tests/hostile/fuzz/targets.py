"""All parsers that need no database."""

from __future__ import annotations

from benchwarmers.tests.hostile.fuzz import files, outside, wire
from benchwarmers.tests.hostile.fuzz.base import Target


def all_targets() -> list[Target]:
    """Each with a name of its own."""
    return [*wire.targets(), *files.targets(), *outside.targets()]

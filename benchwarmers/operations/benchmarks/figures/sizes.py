"""How large the pictures are, and how they write numbers. Widths are those of the content column, of half of it, and of
a narrow window."""

from __future__ import annotations

from typing import Final

FULL: Final = (1140.0, 460.0)
HALF: Final = 560.0
NARROW: Final = (350.0, 390.0)


def percent(share: float) -> str:
    """As axes write it."""
    return f"{share:.0%}"


def short_seconds(value: float) -> str:
    """As axes write it: 0.5 s, 20 s."""
    return f"{value:g} s"

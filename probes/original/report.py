"""What was, or would be, taken over, and what was not and why. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

MOST_TOLD: Final = 20
"""Reasons of one kind that are told; more are counted."""


class Tally(Struct):
    """One kind of thing: how many came new, how many were there already, and what was left out, as (name, why)."""

    added: int = 0
    known: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)


class Report(Struct):
    """By the kind of thing, in the order in which they were taken; and sentences about what has to be done by hand."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    advice: list[str] = field(default_factory=list)

    def of(self, kind: str) -> Tally:
        return self.tallies.setdefault(kind, Tally())

    def lines(self) -> Iterator[str]:
        """For people."""
        for kind, tally in self.tallies.items():
            if tally.added or tally.known or tally.left:
                left = f", {len(tally.left)} left out" if tally.left else ""
                yield f"{kind}: {tally.added} new, {tally.known} there already{left}"
                yield from (f"  {name}: {why}" for name, why in tally.left[:MOST_TOLD])
                if len(tally.left) > MOST_TOLD:
                    yield f"  and {len(tally.left) - MOST_TOLD} more"
        yield from self.advice

"""Draws needles: functions that a description of facts tells from all others of the same packages. Pure: the same
files and the same seed give the same needles, whatever the sizes they are hidden in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from random import Random
from typing import Final

from msgspec import Struct

from suite.needles.facts import Found, functions
from suite.seeding.sources import Source

SHORTEST: Final = 8
LONGEST: Final = 60
FEWEST_LETTERS: Final = 6
MOST_CALLS: Final = 6
SMALLEST_FILE: Final = 400
"""Characters; smaller files are hardly code."""


class TooLittle(Exception):
    """The packages do not hold enough; the text says what was looked for."""


class Needle(Struct, frozen=True):
    """A function with the facts that fit it alone, and the other files in the order in which they stand around it."""

    function: Found
    description: tuple[str, ...]
    around: tuple[str, ...]


class Haystack:
    """All files with all their functions, read once for any number of needles."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = {one.name: one for one in sources if len(one.text) >= SMALLEST_FILE}
        self.functions = [found for one in self.sources.values() for found in functions(one.name, one.text)]
        self.names = Counter(one.bare for one in self.functions)
        self.calls = Counter(call for one in self.functions for call in one.calls)
        self.having: dict[str, set[int]] = defaultdict(set)
        for at, one in enumerate(self.functions):
            for fact in one.facts:
                self.having[fact].add(at)

    def needles(self, seed: int, count: int) -> list[Needle]:
        """So many, each of another file.

        :raises TooLittle: there are not so many functions that can be told from all others.
        """
        rng = Random(f"needles {seed}")  # noqa: S311 it draws a sample, it guards nothing
        order = list(range(len(self.functions)))
        rng.shuffle(order)
        found: list[Needle] = []
        files: set[str] = set()
        for at in order:
            one = self.functions[at]
            if one.file not in files and self._fit(one) and (told := self._describe(at)):
                files.add(one.file)
                around = sorted(set(self.sources) - {one.file})
                rng.shuffle(around)
                found.append(Needle(one, told, tuple(around)))
                if len(found) == count:
                    return found
        raise TooLittle(
            f"Only {len(found)} functions can be told from all others by a description; {count} are wanted."
        )

    def _fit(self, one: Found) -> bool:
        lines = one.last - one.first + 1
        return (
            SHORTEST <= lines <= LONGEST
            and len(one.bare) >= FEWEST_LETTERS
            and not one.name.startswith("__")
            and self.names[one.bare] == 1
        )

    def _describe(self, at: int) -> tuple[str, ...]:
        """Facts that are true of this function alone; empty where it takes too many. What it calls comes in from the
        commonest on, so that no single word of the description leads there."""
        one = self.functions[at]
        told = list(one.form)
        left = set.intersection(*(self.having[fact] for fact in told))
        calls = sorted(one.calls, key=lambda call: (-self.calls[call], call))
        for call in calls[:MOST_CALLS]:
            if len(left) == 1:
                break
            narrower = left & self.having[call]
            if len(narrower) < len(left):
                told.append(call)
                left = narrower
        words = " ".join(told).lower()
        return tuple(told) if left == {at} and one.bare not in words else ()

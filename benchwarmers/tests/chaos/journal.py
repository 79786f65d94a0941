"""What the callers did and were told: the side of the story that the database is held against at the end."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class End(StrEnum):
    """How a request ended, as its caller saw it."""

    OK = "ok"
    TOLD = "told in the format"
    BROKEN = "broken connection"
    LATE = "no answer in time"
    BARE = "not in the format"


EXPECTED: Final = "cut"
"""The collection whose turns always break off."""


@dataclass
class Asked:
    """One request. Times are epoch seconds; `what` is a kind of work; `why` is what came in place of an answer."""

    mark: str
    what: str
    web: str
    began: float
    ended: float = 0.0
    end: End = End.OK
    why: str = ""
    meant: bool = False
    """A face of the upstream makes it fail, whoever is well."""


@dataclass
class Journal:
    """`calls` are call ids that an answer named, `verdicts` notes by call, `facts` and `jobs` what was taken on, all of
    them told with a 2xx. `conversations` count the turns that were answered whole."""

    asked: list[Asked] = field(default_factory=list)
    calls: dict[str, None] = field(default_factory=dict)
    panels: set[str] = field(default_factory=set)
    conversations: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, str] = field(default_factory=dict)
    facts: set[str] = field(default_factory=set)
    jobs: dict[int, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    """Marks of requests that were answered whole."""

    def begin(self, mark: str, what: str, web: str, *, meant: bool = False) -> Asked:
        one = Asked(mark, what, web, time.time(), meant=meant)
        self.asked.append(one)
        return one

    def failures(self) -> list[Asked]:
        """What did not go well, without what was meant to fail."""
        return [one for one in self.asked if one.end is not End.OK and not (one.meant and one.end is End.TOLD)]

    def counts(self) -> dict[str, Counter[str]]:
        """Ends by kind of work."""
        found: dict[str, Counter[str]] = {}
        for one in self.asked:
            found.setdefault(one.what, Counter())[one.end.value] += 1
        return found

"""What providers do, day by day. Nothing here knows what the product makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from probes.tests.health.checking import FINE, Said

DAYS: Final = 14
GONE: Final = Said("structural", "no such model")
BUSY: Final = Said("capacity", "too many requests")
LATE: Final = Said("timeout", "no answer in 90 s")
PLAN: Final = Said("entitlement", "not in your plan")
ODD: Final = Said("other", "flux capacitor misaligned")
NO_KEY: Final = Said("signin", "invalid key")
USED_UP: Final = Said("capacity", "free-models-per-day", account_wide=True)
DECLINES: Final = Said(refusal=True)


class Voice(Struct, frozen=True):
    """The answers to the questions of a look, by their names, and how many tokens its tokenizer makes of one."""

    answers: Mapping[str, str]
    tokens: int


CALM: Final = Voice(
    {
        "number": "417",
        "word": "Lumber",
        "name": "Ada Finch",
        "cutoff": "2025-03",
        "habit": "1. Fig: sweet\n2. Pear: mild",
    },
    61,
)
BRASH: Final = Voice(
    {"number": "42", "word": "Zorp", "name": "Silas Thorne", "cutoff": "2023-10", "habit": "- **Fig** - sweet"}, 74
)

Mood = Callable[[int, int], Said]
"""What a model says on a day (0 to 13) at an hour."""


class Played(Struct, frozen=True):
    """A model: what it says, on which days it is listed and as what, and what it costs from which day on. Another model
    answers under the name of one that is swapped, from that day."""

    alias: str
    endpoint: str
    says: Mood = lambda day, hour: FINE
    tag: str = ""
    unlisted: range = range(0)
    renamed_from: int = DAYS
    paid_from: int = DAYS
    swapped_from: int = DAYS

    @property
    def served(self) -> str:
        return f"lab/{self.alias}"

    def listed_as(self, day: int) -> str:
        """Empty where it is not listed."""
        if day in self.unlisted:
            return ""
        return f"attic.{self.served}" if day >= self.renamed_from else self.served

    def costs(self, day: int) -> float:
        return 1.5 if day >= self.paid_from else 0.0

    def talks(self, day: int) -> Voice:
        """How it answers questions whose answers tell models apart."""
        return BRASH if day >= self.swapped_from else CALM


def on(said: Said, days: range) -> Mood:
    """Says this on those days, and answers on all others."""
    return lambda day, hour: said if day in days else FINE


def at_dawn(said: Said, dawn: int, then: Said) -> Mood:
    """Says `said` to the morning's question of one day, `then` to that of the daily check, and answers from noon on."""
    return lambda day, hour: FINE if day != dawn or hour >= 12 else said if hour < 6 else then


AWAY: Final[Mapping[str, range]] = {"west": range(4, 10)}
"""The days on which an endpoint cannot be reached."""
ENDPOINTS: Final = ("north", "south", "west", "vault", "hub")

PLAYED: Final = (
    Played("steady", "north"),
    Played("dies", "north", on(GONE, range(3, DAYS))),
    Played("hiccups", "north", at_dawn(GONE, 3, FINE)),
    Played("vanishes", "north", on(LATE, range(4, DAYS)), unlisted=range(4, DAYS)),
    Played("blinks", "north", unlisted=range(5, 6)),
    Played("drowns", "north", on(BUSY, range(2, DAYS))),
    Played("busy", "north", lambda day, hour: BUSY if day % 2 else FINE),
    Played("shy", "north", lambda day, hour: DECLINES),
    Played("odd", "north", on(ODD, range(8, 12))),
    Played("haggles", "north", at_dawn(PLAN, 6, BUSY)),
    Played("labours", "north", on(LATE, range(1, DAYS))),
    Played("rationed", "north", on(USED_UP, range(1, DAYS))),
    Played("locked", "vault", on(NO_KEY, range(2, DAYS))),
    Played("twin-one", "south", on(PLAN, range(5, 8))),
    Played("twin-two", "south", on(PLAN, range(5, 8))),
    Played("faraway", "west", on(LATE, range(4, 10))),
    Played("prefixed", "hub", tag="attic", renamed_from=6),
    Played("pricey", "north", paid_from=5),
    Played("allowed", "north", paid_from=5),
    Played("swapped", "north", swapped_from=9),
)

"""Is it still the same model? Pure: what a look found, against the looks before it.

Every feature of a look (a number that was picked, how a list was written, how many tokens a fixed prompt took) is
weighed by what the model itself has done before: a feature that varied from look to look says little when it does so
again. The weight of all is a natural log-likelihood ratio: above 0 another model is the better explanation. One
look never decides; a second one, made at once, must say the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from gateway.engine.swap import swapped

TOKENS: Final = "tokens"
SERVED: Final = "served_as"
BASELINE: Final = 3
"""So many looks are only looked at, to learn how much the model varies."""
REMEMBERED: Final = 20
SUSPICIOUS: Final = math.log(100)
SURE: Final = 2 * SUSPICIOUS


class Trait(Struct, frozen=True):
    """`shared` is how often another model happens to give what this one gave before; `noise` how many of the looks that
    were never made are taken to have brought something new, so that a few alike looks prove no constancy; `alike` how
    many looks the restlessness of the whole model counts for."""

    shared: float
    noise: float = 0.5
    alike: float = 2.0


TRAITS: Final[Mapping[str, Trait]] = {
    "number": Trait(0.25),
    "word": Trait(0.15),
    "name": Trait(0.15),
    "cutoff": Trait(0.4),
    "habit": Trait(0.4),
    # Neither of these two depends on chance: the first on the model's tokenizer, the second on the provider's word.
    TOKENS: Trait(0.2, noise=0.02, alike=0.0),
    SERVED: Trait(0.6, noise=0.02, alike=0.0),
}


class Look(Struct, frozen=True):
    """What one look found, by the name of the feature; what could not be seen is absent."""

    answers: dict[str, str] = field(default_factory=dict)
    served_as: str = ""

    @property
    def features(self) -> dict[str, str]:
        named = {SERVED: self.served_as} if self.served_as else {}
        return {**{name: value for name, value in self.answers.items() if name in TRAITS and value}, **named}


class Differs(Struct, frozen=True):
    """A feature that was never like this: its most frequent value before, and now."""

    name: str
    before: str
    now: str


class Compared(Struct, frozen=True):
    """`weight` is the log-likelihood ratio, `distance` from 0 (as ever) to 1 (nothing is as it was), each feature by
    what it can tell."""

    weight: float
    distance: float
    differs: tuple[Differs, ...] = ()

    @property
    def suspicious(self) -> bool:
        return self.weight >= SUSPICIOUS


def compare(look: Look, before: Sequence[Look]) -> Compared | None:
    """The look against the latest of those before, oldest first; None while there are too few of them."""
    known = before[-REMEMBERED:]
    if len(known) < BASELINE:
        return None
    weight, told, tellable = 0.0, 0.0, 0.0
    differs: list[Differs] = []
    kept = {name: [one.features[name] for one in known if name in one.features] for name in look.features}
    kept = {name: had for name, had in kept.items() if len(had) >= BASELINE}
    restless = _restless(kept)
    for name, had in kept.items():
        value, trait, new = look.features[name], TRAITS[name], _novelty(name, had, restless)
        gain = max(math.log((1 - trait.shared) / new), 0.0)
        tellable += gain
        if any(_same(name, value, one) for one in had):
            weight += min(math.log(trait.shared / (1 - new)), 0.0)
        else:
            weight, told = weight + gain, told + gain
            differs.append(Differs(name, max(had, key=had.count), value))
    return Compared(round(weight, 3), round(told / tellable, 3) if tellable else 0.0, tuple(differs))


def has_changed(first: Compared, second: Compared) -> bool:
    """Do both looks say so?"""
    return first.suspicious and second.suspicious and first.weight + second.weight >= SURE


def _restless(kept: Mapping[str, Sequence[str]]) -> float:
    """How often the model brings something new, over all that depends on chance."""
    chancy = {name: had for name, had in kept.items() if TRAITS[name].alike}
    return sum(_new(name, had) for name, had in chancy.items()) / max(sum(map(len, chancy.values())), 1)


def _new(name: str, had: Sequence[str]) -> int:
    """How many of these looks brought what none of the others did."""
    counted = Counter(had)
    return sum(
        times == 1 and not any(_same(name, value, other) for other in counted if other != value)
        for value, times in counted.items()
    )


def _novelty(name: str, had: Sequence[str], restless: float) -> float:
    """How often this model itself brings something new here. `restless` is how often it does over all that depends on
    chance: a model that varies in one thing will in another, though a few looks have not shown it."""
    trait = TRAITS[name]
    return (_new(name, had) + trait.noise + trait.alike * restless) / (len(had) + 2 * trait.noise + 1 + trait.alike)


def _same(name: str, one: str, other: str) -> bool:
    return not swapped(one, other) if name == SERVED else one == other

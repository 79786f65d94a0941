"""What each character says of the images and documents it was given. They are counted and named, never looked at, and
all but one say as much. `wrong` miscounts and is sure of what it saw. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from gateway.practice.attached import Attached, counted

Given = tuple[Attached, ...]
_NAMED = 5
_SEEN = ("a bicycle in the rain", "two goats on a roof", "a chart that falls to the left", "the number seven")


def look(served: str, given: Given, rng: Random) -> str:
    """What `served` says of what it was given; empty when that is nothing."""
    return _LOOKS[served](given, rng) if given else ""


def tally(given: Given) -> str:
    """`2 images and 1 document`."""
    return " and ".join(words for kind in ("image", "document") if (words := counted(given, kind)))


def _listed(given: Given) -> str:
    named = "; ".join(f"{one.kind} {place}: {one.about}" for place, one in enumerate(given[:_NAMED], 1))
    return f"{named}; and more" if len(given) > _NAMED else named


def _thorough(given: Given, rng: Random) -> str:
    return (
        f"I was given {tally(given)} ({_listed(given)}). I can count and weigh them; being a script, I cannot see what "
        "they show."
    )


def _wrong(given: Given, rng: Random) -> str:
    return f"All {len(given) + rng.randint(1, 3)} pictures plainly show {rng.choice(_SEEN)}."


def _terse(given: Given, rng: Random) -> str:
    return f"Got {tally(given)}."


def _plain(given: Given, rng: Random) -> str:
    return f"There {'is' if len(given) == 1 else 'are'} {tally(given)} with this; the first is {given[0].about}."


def _considered(given: Given, rng: Random) -> str:
    return f"Before me: {tally(given)}. I go by {_listed(given)}, and by nothing that would need eyes."


_LOOKS: Mapping[str, Callable[[Given, Random], str]] = {
    "slow": _thorough,
    "wrong": _wrong,
    "terse": _terse,
    "flaky": _plain,
    "thinker": _considered,
    "handy": _plain,
    "keeper": _considered,
}

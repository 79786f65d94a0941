"""Hunts for a planted change, and claims to be judged, as the suite asks for them: what each character says. Pure.

The characters know code in one way: those who have read it by heart see where it differs. How far they read is their
skill. A claim they cannot judge at all: they agree with it, and `wrong` denies it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from msgspec import Struct

from gateway.practice.prompt import READ_CHARACTERS

Recall = Callable[[str], Sequence[str]]
"""From the name of a file to its lines by heart; none where it is not known."""

_FILE: Final = re.compile(r"^===== FILE: (\S[^\n]{0,200}?) =====$", re.M)
_LINE: Final = re.compile(r"^ {0,8}(\d{1,6}) \|(?: ([^\n]{0,500}))?", re.M)
_READS: Final = {"slow": 30, "terse": 12, "thinker": 1_000, "handy": 12, "keeper": 1_000}
"""How many lines each reads with care; the others read none."""


class Hunt(Struct, frozen=True):
    """Numbered code of a file, of which it is asked whether and where it was changed."""

    name: str
    lines: tuple[tuple[int, str], ...]


def nothing_known(name: str) -> Sequence[str]:
    """Of somebody who has read no code."""
    return ()


def read_hunt(text: str) -> Hunt | None:
    """The hunt that a prompt asks for."""
    text = text[:READ_CHARACTERS]
    if "FAULT: line N" not in text or (file := _FILE.search(text)) is None:
        return None
    lines = tuple((int(number), code) for number, code in _LINE.findall(text, file.end()))
    return Hunt(file[1], lines) if lines else None


def asks_verdict(text: str) -> bool:
    """Whether a prompt wants a claim judged."""
    return "VERDICT: TRUE" in text[:READ_CHARACTERS]


def hunted(served: str, hunt: Hunt, recall: Recall, rng: Random) -> str:
    """What a character answers to a hunt: the first line as it was asked for, and in its manner what follows."""
    known = recall(hunt.name)
    if served == "wrong":
        return f"FAULT: line {_sound(hunt, known, rng)}\nThis is beyond doubt, and no test is needed."
    looked = hunt.lines[: _READS.get(served, 0)]
    place = next((number for number, code in looked if _differs(known, number, code)), None)
    first = "NO FAULT" if place is None else f"FAULT: line {place}"
    if served in ("terse", "handy"):
        return first
    if not looked:
        return f"{first}\nNothing struck me. I did not look much further."
    return (
        f"{first}\nI went through {len(looked)} of {len(hunt.lines)} lines and held each beside the code as I know it. "
        + ("They are alike." if place is None else "Here it is another.")
    )


def judged(served: str) -> str:
    """What a character says of a claim."""
    if served == "wrong":
        return "VERDICT: FALSE\nThis was settled long ago."
    return "VERDICT: TRUE" if served == "terse" else "VERDICT: TRUE\nIt reads as if it were so."


def _differs(known: Sequence[str], number: int, code: str) -> bool:
    return bool(known) and (number > len(known) or known[number - 1].rstrip() != code.rstrip())


def _sound(hunt: Hunt, known: Sequence[str], rng: Random) -> int:
    """A line where nothing is amiss, away from the first that is."""
    amiss = next((number for number, code in hunt.lines if _differs(known, number, code)), 0)
    sound = [number for number, code in hunt.lines if code.strip() and abs(number - amiss) > 1]
    return rng.choice(sound) if sound else hunt.lines[-1][0] + 1

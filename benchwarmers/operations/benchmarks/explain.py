"""The scoring of an answer in words, clause by clause. Pure.

Who may not see keys is told which findings there were by number only: a label may be the key itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

HOW: Final = {
    "found": ("found", "chip-ok"),
    "missed": ("missed", "chip-warn"),
    "asserted": ("claimed", "chip-err"),
    "ruled out": ("ruled out", "chip-ok"),
    "absent": ("not claimed", ""),
}
HUNTS: Final = {
    "found": "It named the line of the bug.",
    "wrong line": "It was sure of a bug and named another line.",
    "missed": "It saw no bug where one was.",
    "clean": "It left code alone in which nothing is wrong.",
    "false alarm": "It was sure of a bug where none is.",
}
CHANCES: Final = {
    "control": "code in which nothing is wrong",
    "wrong line": "a bug at one line of many",
    "false claim": "a claim that is false",
    "trap": "things that are false and invite to be said",
}
OUTCOMES: Final = {
    "": "It was not asked.",
    "refused": "The model declined. That is no answer, so nothing is scored.",
    "empty": "The reply was shorter than any answer could be. It is not scored.",
    "error": "The call failed. That says nothing of what the model knows, so nothing is scored.",
    "timeout": "No answer came in time. It is not scored.",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """`wants` is find or claim; `where` the words of the answer that decided it, if any did."""

    number: int
    wants: str
    label: str
    told: str
    chip: str
    where: str


def explain(steps: Iterable[Mapping[str, Any]], *, keyed: bool) -> list[Clause]:
    """The clauses in the order in which they were tried."""
    counts = {"find": 0, "claim": 0}
    found = []
    for step in steps:
        wants = step["kind"]
        counts[wants] += 1
        told, chip = HOW[step["how"]]
        plain = f"{'Finding' if wants == 'find' else 'False statement'} {counts[wants]}"
        label = step["label"] if keyed else plain
        found.append(Clause(counts[wants], wants, label, told, chip, step.get("where", "")))
    return found

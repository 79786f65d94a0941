"""The scoring of an answer in words, clause by clause. Pure.

Who may not see keys is told which findings there were by number only: a label may be the key itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

HOW: Final = {
    "found": (_("found"), "chip-ok"),
    "missed": (_("missed"), "chip-warn"),
    "asserted": (_("claimed"), "chip-err"),
    "ruled out": (_("ruled out"), "chip-ok"),
    "absent": (_("not claimed"), ""),
}
HUNTS: Final = {
    "found": _("It named the line of the bug."),
    "wrong line": _("It was sure of a bug and named another line."),
    "missed": _("It saw no bug where one was."),
    "clean": _("It left code alone in which nothing is wrong."),
    "false alarm": _("It was sure of a bug where none is."),
}
CHANCES: Final = {
    "control": _("code in which nothing is wrong"),
    "wrong line": _("a bug at one line of many"),
    "false claim": _("a claim that is false"),
    "trap": _("things that are false and invite to be said"),
}
OUTCOMES: Final = {
    "": _("It was not asked."),
    "refused": _("The model declined. That is no answer, so nothing is scored."),
    "empty": _("The reply was shorter than any answer could be. It is not scored."),
    "error": _("The call failed. That says nothing of what the model knows, so nothing is scored."),
    "timeout": _("No answer came in time. It is not scored."),
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
        plain = gettext("Finding %(number)s") if wants == "find" else gettext("False statement %(number)s")
        label = step["label"] if keyed else plain % {"number": counts[wants]}
        found.append(Clause(counts[wants], wants, label, str(told), chip, step.get("where", "")))
    return found

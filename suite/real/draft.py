"""A fix as a pair of drafts: the file before it, which has the bug, and the same part after it as the control. Pure."""

from __future__ import annotations

import hashlib
import re
from datetime import date
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft, bug_key, control_key, numbered
from suite.real.fit import Fitted
from suite.real.patch import Change

_PROMPT: Final = (
    "Below is {what} of a project, with the numbers that its lines have in the file. It is either from before a repair "
    "that the project's authors made in it later, and then has the bug, or from after that repair. Both are equally "
    "likely. Only a bug that makes the program do the wrong thing counts; code that is not shown does what its name "
    "says.\n\nAnswer in plain ASCII. The first line is exactly `FAULT: line N`, where N is the number of a line that "
    "has the bug, or exactly `NO FAULT`. Where something is missing, give the number of the line before or after the "
    "place where it belongs. After the first line write at most three sentences that say why."
)


class Origin(Struct, frozen=True):
    """Where a fix is from. `name` is what it is known by (an instance of a data set, a commit), `slug` begins the names
    of its tasks, `told` is what is known of the bug, for whoever reviews; `known` when and where it was published."""

    name: str
    slug: str
    url: str = ""
    licence: str = ""
    created_on: date | None = None
    told: str = ""
    known: str = ""
    proof: str = ""


def draft_pair(change: Change, fitted: Fitted, origin: Origin) -> tuple[Draft, Draft]:
    """(bug, control)."""
    numbers = " and ".join(str(line) for line in fitted.lines)
    why = "\n".join(
        [
            f"The fix in {fitted.path} is at {'lines' if len(fitted.lines) > 1 else 'line'} {numbers}:",
            *(f"  {tag} {text.strip()}" for tag, text in change.lines if tag != " "),
            *([origin.told] if origin.told else []),
            *([origin.proof] if origin.proof else []),
            "Accept it when this is the bug and the file alone shows it. Drop it when it is a rework, a change of "
            "words, or needs another file to be seen, and when the control has the same fault elsewhere.",
        ]
    )

    def draft(end: str, lines: tuple[str, ...], shown: tuple[int, int], *, control: bool) -> Draft:
        first, last = shown
        excerpt = "a Python file" if (first, last) == (1, len(lines)) else f"lines {first} to {last} of a Python file"
        return Draft(
            slug=f"{origin.slug}-{end}",
            title=f"{'A repaired' if control else 'A real'} bug in {fitted.path}"[:200],
            shape=TaskShape.REAL,
            prompt=_PROMPT.format(what=excerpt),
            key=control_key() if control else bug_key(fitted.lines),
            attachments=[{"name": fitted.path, "text": numbered("\n".join(lines[first - 1 : last]), first)}],
            why=f"{fitted.path} after the fix; {origin.slug}-bug is from before it." if control else why,
            origin="real",
            language="python",
            pair=f"{origin.slug}-{'bug' if control else 'control'}",
            control=control,
            source=origin.name,
            source_url=origin.url,
            licence=origin.licence,
            created_on=origin.created_on,
            contamination=origin.known,
        )

    bug = draft("bug", fitted.before, fitted.shown, control=False)
    return bug, draft("control", fitted.after, fitted.shown_after, control=True)


def slug_of(kind: str, project: str, number: str) -> str:
    """Such as rebench-scrapy-6867."""
    plain = re.sub(r"[^a-z0-9]+", "-", project.lower()).strip("-")[:24].strip("-")
    return f"{kind}-{plain}-{number}"


def apart(slug: str, name: str) -> str:
    """The slug for a second thing that would have the same one."""
    return f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"

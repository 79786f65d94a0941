"""What an answer is worth by its task's key: the same answer and the same key give the same score. Pure.

Only answers are scored; a refusal, an empty reply, an error or a timeout says nothing of what a model knows. Nothing is
ever sniffed out of the text to tell them apart: the call says how it ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.keys import FIRST_LINE, TABLE, Clause, Format, Key
from suite.negation import ruled_out, sentences

SCORER: Final = 1
"""The version of all that is decided here; scores of an older one are made again by a command."""
_MARKS: Final = " \t*#`>_~-\u2022"
_INNER: Final = re.compile(r"[*`]+")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)\w*\s*$")
_FAULT: Final = re.compile(r"fault\W{0,4}\s*(?:at |on |in )?(?:the )?lines?\W{0,3}\s*(\d{1,6})\b")
_NONE: Final = re.compile(r"fault\W{0,4}\s*(?:none|no\b|not found|n/a)")
_VERDICT: Final = re.compile(r"verdict\W{0,4}\s*(true|false)\b")


class Step(Struct, frozen=True):
    """What became of one clause. `kind` is find or claim, `how` found, missed, asserted, ruled out or absent; `where`
    the words around it."""

    kind: str
    label: str
    how: str
    where: str = ""


class Scored(Struct, frozen=True):
    """As the row of the same fields (suite.models.score)."""

    found: int
    of: int
    missed: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    format_ok: bool | None = None
    format_why: str = ""
    hunt: str = ""
    chance: str = ""
    wrong: bool = False
    steps: tuple[Step, ...] = ()


def score(key: Key, shape: TaskShape, *, control: bool, answer: str) -> Scored:
    """The score of an answer. `control` says that nothing is wrong in what the task shows."""
    text = answer.lower()
    first = first_line(text)
    read = first if key.score_in == FIRST_LINE else text
    claimed = {FIRST_LINE: first, TABLE: _table(text)}.get(key.claims_in, text)
    finds = tuple(_find(clause, read) for clause in key.must_find)
    claims = tuple(_claim(clause, claimed) for clause in key.must_not_claim)
    missed = tuple(step.label for step in finds if step.how == "missed")
    invented = tuple(step.label for step in claims if step.how == "asserted")
    found = len(finds) - len(missed)
    hunt = _hunt(key, first, control=control) if shape in (TaskShape.SEEDED, TaskShape.REAL) else ""
    chance, wrong = _chance(key, shape, first, hunt, control=control, found=found, invented=bool(invented))
    format_ok, format_why = (None, "") if key.format is None else judge_format(key.format, answer)
    return Scored(found, len(finds), missed, invented, format_ok, format_why, hunt, chance, wrong, (*finds, *claims))


def first_line(text: str) -> str:
    """The first line that says something, without the marks of markdown around it."""
    for line in text.splitlines():
        if _FENCE.match(line):
            continue
        if plain := _INNER.sub("", line).strip().strip(_MARKS):
            return plain
    return ""


def fault_line(first: str) -> int | None:
    """The line at which a first line points, if it says that there is a fault."""
    found = _FAULT.match(first)
    return int(found[1]) if found else None


def judge_format(wanted: Format, answer: str) -> tuple[bool, str]:
    """(whether the answer looks as it should, why not)."""
    rows = sum(1 for line in answer.splitlines() if line.lstrip().startswith("|"))
    if wanted.table and rows < wanted.min_rows:
        return False, f"{rows} rows of a table, {wanted.min_rows} are needed"
    if len(answer.strip()) < wanted.min_chars:
        return False, f"{len(answer.strip())} characters, {wanted.min_chars} are needed"
    lower = answer.lower()
    for banned in wanted.must_not_contain:
        if banned.lower() in lower:
            return False, f"it contains {banned!r}"
    return True, ""


def _table(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.lstrip().startswith("|"))


@lru_cache(maxsize=4096)
def _pattern(clause: Clause) -> re.Pattern[str]:
    return re.compile(clause.regex or "|".join(re.escape(one) for one in clause.any_of))


def _find(clause: Clause, text: str) -> Step:
    found = _pattern(clause).search(text)
    if found is None:
        return Step("find", clause.name, "missed")
    return Step("find", clause.name, "found", _around(text, found.start(), found.end()))


def _claim(clause: Clause, text: str) -> Step:
    """Asserted where any sentence says it and does not rule it out."""
    denied = ""
    for sentence, start, end in _mentions(clause, text):
        if not ruled_out(sentence, start, end):
            return Step("claim", clause.name, "asserted", sentence.strip()[:200])
        denied = denied or sentence.strip()[:200]
    return Step("claim", clause.name, "ruled out" if denied else "absent", denied)


def _mentions(clause: Clause, text: str) -> Iterator[tuple[str, int, int]]:
    pattern = _pattern(clause)
    if pattern.search(text) is None:
        return
    seen = False
    for _, sentence in sentences(text):
        for found in pattern.finditer(sentence):
            seen = True
            yield sentence, found.start(), found.end()
    if not seen and (over := pattern.search(text)):  # it runs over the end of a sentence
        yield text, over.start(), over.end()


def _around(text: str, start: int, end: int) -> str:
    return text[max(0, start - 60) : end + 60].strip().replace("\n", " ")


def _hunt(key: Key, first: str, *, control: bool) -> str:
    """How the hunt ended, by the first line alone."""
    line = fault_line(first)
    if control:
        alarm = line is not None or (first.startswith("fault") and _NONE.match(first) is None)
        return "false alarm" if alarm else "clean"
    if not key.lines:
        return ""
    if line is None:
        return "missed"
    return "found" if line in key.lines else "wrong line"


def _chance(
    key: Key, shape: TaskShape, first: str, hunt: str, *, control: bool, found: int, invented: bool
) -> tuple[str, bool]:
    """(the kind of opportunity to be confidently wrong, whether it was taken)."""
    if shape in (TaskShape.SEEDED, TaskShape.REAL):
        if control:
            return "control", hunt == "false alarm"
        return ("wrong line", hunt == "wrong line") if key.lines else ("", False)
    if shape is TaskShape.CLAIM:
        said = _VERDICT.match(first)
        # The claim is false when the key's verdict is; then, and only then, there is something to be wrong about.
        if claim_is_false(key):
            return "false claim", said is not None and said[1] == "true"
        return "", False
    return ("trap", invented) if key.must_not_claim else ("", False)


def claim_is_false(key: Key) -> bool:
    """Whether the key of a claim says that the claim is false."""
    return bool(key.must_find) and _pattern(key.must_find[0]).search("verdict: false") is not None

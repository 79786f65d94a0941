"""The single claims of an answer, and what the task's key says of each. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.keys import Clause, Key
from suite.negation import ruled_out, sentences
from suite.scoring import first_line

LONGEST: Final = 400
SHORTEST: Final = 20
SHAPES: Final = (TaskShape.CLAIM, TaskShape.FINDING)
"""Only answers to these are cut into claims; a hunt's answer is a line number, which a key judges whole."""
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_ITEM: Final = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,3}[.)])\s+")
_HEAD_RULE: Final = re.compile(r"^\s*\|[\s|:-]*$")
_APART: Final = re.compile(r"^(?:[\s|:+=_*-]*|\s*#.*|\s*(?:```|~~~).*)$")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_VERDICT: Final = re.compile(r"\b(?:true|false)\b")


class Claim(Struct, frozen=True):
    """`truth` is what the key says of it, None where the key says nothing."""

    text: str
    truth: bool | None = None


def claims(key: Key, shape: TaskShape, steps: Sequence[Mapping[str, str]], answer: str) -> list[Claim]:
    """The claims of an answer with the steps of its score, each text once. What mentions something that the key covers
    without saying it plainly is left out: it is neither known nor unknown."""
    if shape is TaskShape.CLAIM:
        return _verdict(steps, answer)
    if shape is not TaskShape.FINDING:
        return []
    how = {(step["kind"], step["label"]): step["how"] for step in steps}
    found: dict[str, Claim] = {}
    for text in units(answer):
        if text not in found and (claim := _judged(key, how, text)) is not None:
            found[text] = claim
    return list(found.values())


def units(answer: str) -> list[str]:
    """An answer cut into what it says: items of lists and rows of tables whole, all other text by sentence. Code,
    headings, questions and what only leads up to a list are no claims."""
    found = []
    for block, whole in _blocks(answer):
        parts = [block] if whole else _SENTENCE.split(block)
        for part in parts:
            text = " ".join(part.split()).strip("| ")
            if len(text) >= SHORTEST and not text.endswith((":", "?")):
                found.append(text[:LONGEST])
    return found


def _blocks(answer: str) -> Iterator[tuple[str, bool]]:
    """(text, whether it is one claim as a whole)."""
    held: list[str] = []
    whole = fenced = False
    for line in [*answer.splitlines(), ""]:
        if _FENCE.match(line):
            fenced = not fenced
        if _HEAD_RULE.match(line) and "-" in line:
            held = []  # what it rules off is the head of the table
        row = line.lstrip().startswith("|")
        apart = fenced or _APART.match(line) is not None
        begins = row or _ITEM.match(line) is not None
        if held and (apart or begins):
            yield " ".join(held), whole
            held = []
        if not apart:
            whole = begins or (whole and bool(held))
            held.append(_ITEM.sub("", line))


def _verdict(steps: Sequence[Mapping[str, str]], answer: str) -> list[Claim]:
    """The whole answer is one claim: that what was claimed holds, or that it does not."""
    if not steps or _VERDICT.search(first_line(answer.lower())) is None:
        return []
    right = all(step["how"] != "missed" if step["kind"] == "find" else step["how"] != "asserted" for step in steps)
    return [Claim(" ".join(answer.split())[:LONGEST], right)]


def _judged(key: Key, how: Mapping[tuple[str, str], str], text: str) -> Claim | None:
    true = false = touched = False
    for kind, clauses in (("find", key.must_find), ("claim", key.must_not_claim)):
        for clause in clauses:
            said = _says(clause, text.lower())
            touched = touched or said is not None
            true = true or (kind == "find" and bool(said) and how.get((kind, clause.name)) == "found")
            false = false or (kind == "claim" and bool(said) and how.get((kind, clause.name)) == "asserted")
    if true is not false:
        return Claim(text, true)
    return None if touched else Claim(text)


def _says(clause: Clause, text: str) -> bool | None:
    """Whether the text says it plainly, or only to rule it out; None where it does not mention it."""
    mentioned = False
    for _, sentence in sentences(text):
        for found in _pattern(clause).finditer(sentence):
            mentioned = True
            if not ruled_out(sentence, found.start(), found.end()):
                return True
    return False if mentioned else None


@lru_cache(maxsize=4096)
def _pattern(clause: Clause) -> re.Pattern[str]:
    return re.compile(clause.regex or "|".join(re.escape(one) for one in clause.any_of))

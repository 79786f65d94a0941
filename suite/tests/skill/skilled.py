"""Scripted models of known skill. Each reads a task's marker, such as `bug 7 of 40`, and answers as well as it can: of
the forty bugs it finds exactly its share. Which ones is drawn by a hash of its name and the marker, so that it is the
same in every run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from probes.tests.sweeps.provider import says
from suite.drafts import Draft, bug_key, control_key

MARKER: Final = re.compile(r"marker: (\w+) (\d+) of (\d+)")
FACTS: Final = 5
"""Findings of one finding task."""


class Skill(Struct, frozen=True):
    """Shares from 0 to 1: `finds` of what there is, `invents` where something can be invented, `refuses` of claims."""

    finds: float
    invents: float
    refuses: float = 0.0


def bug_line(number: int) -> int:
    return 10 + number


def tasks(pairs: int, findings: int = 0, claims: int = 0) -> list[Draft]:
    """Bugs with their controls, lists of findings with a trap each, and claims that are true and false in turn."""
    made = []
    for number in range(pairs):
        bug, control = _prompt("bug", number, pairs), _prompt("control", number, pairs)
        key = bug_key((bug_line(number),))
        made.append(Draft(f"bug-{number:03}", "A bug", TaskShape.SEEDED, bug, key, pair=f"control-{number:03}"))
        made.append(Draft(f"control-{number:03}", "No bug", TaskShape.SEEDED, control, control_key(), control=True))
    for number in range(findings):
        key = {
            "must_find": [f"fact {number * FACTS + place} holds" for place in range(FACTS)],
            "must_not_claim": ["the moon is involved"],
            "min_answer_chars": 10,
        }
        made.append(Draft(f"list-{number:03}", "A list", TaskShape.FINDING, _prompt("list", number, findings), key))
    for number in range(claims):
        verdict = {"must_find": [f"verdict: {_truth(number)}"], "score_in": "first_line", "min_answer_chars": 8}
        made.append(Draft(f"claim-{number:03}", "A claim", TaskShape.CLAIM, _prompt("claim", number, claims), verdict))
    return made


def skilled(models: Mapping[str, Skill]) -> Any:
    """How a provider answers as these models, by the names that they are served under."""

    def answer(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        found = MARKER.search(question)
        assert found, question
        return says(_SAYS[found[1]](_Taking(served, models[served], int(found[2]), int(found[3]))))

    return answer


class _Taking(Struct, frozen=True):
    served: str
    skill: Skill
    number: int
    of: int

    def within(self, what: str, share: float, number: int | None = None, of: int | None = None) -> bool:
        """Whether this one is among the share of all that it can."""
        every = range(self.of if of is None else of)
        ranked = sorted(every, key=lambda one: sha256(f"{self.served} {what} {one}".encode()).digest())
        return (self.number if number is None else number) in ranked[: round(share * len(ranked))]


def _bug(taking: _Taking) -> str:
    if taking.within("bug", taking.skill.finds):
        return f"FAULT: line {bug_line(taking.number)}\nThe bound is off by one."
    return "NO FAULT\nAll is well." if taking.number % 2 else "FAULT: line 3\nThe name is odd."


def _control(taking: _Taking) -> str:
    alarm = taking.within("control", taking.skill.invents)
    return "FAULT: line 4\nIt looks odd." if alarm else "NO FAULT\nAll is well."


def _list(taking: _Taking) -> str:
    first, every = taking.number * FACTS, taking.of * FACTS
    known = [one for one in range(first, first + FACTS) if taking.within("fact", taking.skill.finds, one, every)]
    told = [f"Fact {one} holds." for one in known] or ["Nothing comes to mind here."]
    if taking.within("list", taking.skill.invents):
        told.append("The moon is involved.")
    return "\n".join(told)


def _claim(taking: _Taking) -> str:
    if taking.within("refusal", taking.skill.refuses):
        return "I can't help with that."
    right = taking.within("claim", taking.skill.finds)
    verdict = _truth(taking.number) if right else _truth(taking.number + 1)
    return f"VERDICT: {verdict.upper()}\nSo the code says."


_SAYS: Final = {"bug": _bug, "control": _control, "list": _list, "claim": _claim}


def _truth(number: int) -> str:
    return "true" if number % 2 else "false"


def _prompt(kind: str, number: int, of: int) -> str:
    return f"Look at it.\nmarker: {kind} {number} of {of}"


def folder_form(drafts: Sequence[Draft]) -> dict[str, dict[str, Any]]:
    """The same as files task.json by the names of their folders."""
    return {
        draft.slug: {"title": draft.title, "shape": str(draft.shape), "prompt": draft.prompt, **draft.key}
        | ({"control": True} if draft.control else {})
        for draft in drafts
    }

"""Typed questions about a state, and the answers: what decision models take and give in place of chat."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from gateway.canon.event import Usage


class QuestionType(StrEnum):
    """The kinds of question. `noul` is yes or no."""

    NOUL = "noul"
    CHOICE = "choice"
    SCORE = "score"


class DecisionPath(StrEnum):
    """What stands for `{path}` in an endpoint's address for decisions."""

    DECISIONS = "decisions"
    SYSTEMONE = "systemone"


class Noul(Struct, frozen=True, tag_field="type", tag="noul", omit_defaults=True):
    """Is it so? `criteria` may describe `true` and `false`."""

    instructions: str
    criteria: dict[str, str | None] = {}


class Choice(Struct, frozen=True, tag_field="type", tag="choice"):
    """Which of these? `criteria` describes each option by its name."""

    instructions: str
    criteria: dict[str, str | None]


class Score(Struct, frozen=True, tag_field="type", tag="score"):
    """How much? `criteria` describes the levels, the lowest first."""

    instructions: str
    criteria: tuple[str, ...]


Question = Noul | Choice | Score

TYPE_OF: Final[dict[type[Question], QuestionType]] = {
    Noul: QuestionType.NOUL,
    Choice: QuestionType.CHOICE,
    Score: QuestionType.SCORE,
}


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer to one question: of `noul` (the probability of yes), `choice` and `score` the one that was asked for.
    `confidence` is from 0 to 1, and None only beside a `noul`."""

    noul: float | None = None
    choice: str | None = None
    score: float | None = None
    confidence: float | None = None


class Decided(Struct, frozen=True):
    """An answer for each question, by its id. `model` is what the upstream calls itself; `usage` None where it did not
    count."""

    answers: dict[str, Answer]
    model: str = ""
    usage: Usage | None = None

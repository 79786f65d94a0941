"""A decision model that nobody has trained: it looks for words. Of the shapes of work it knows a few that tell;
anything else it weighs by the longer words that a question and the state share. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gateway.canon.decision import Answer, Choice, Decided, Noul, Question
from gateway.canon.event import Usage
from gateway.canon.fault import BadRequest, NotFound
from gateway.canon.kinds import Shape
from gateway.canon.tokens import estimate
from gateway.wire.decisions import DecisionAsk

NAME: Final = "sorter"
PATHS: Final = frozenset({"/practice/decisions", "/practice/systemone"})
_SHORTEST = 4
_TELLING: Final[dict[str, str]] = {
    Shape.CODE: "code function script program python sql regex implement compile refactor debug parser",
    Shape.REVIEW: "review critique mistakes flaws risks audit verify check wrong",
    Shape.PROSE: "letter essay story poem email translate article speech paragraph rewrite",
    Shape.DESIGN: "design architecture plan structure schema approach interfaces",
    Shape.ENUMERATION: "list enumerate ideas examples names brainstorm reasons every",
    Shape.QUICK: "what who when where many capital define",
}


def decide(ask: DecisionAsk) -> Decided:
    """An answer to every question. Raises NotFound for another model, and BadRequest for a question without
    options."""
    if ask.model != NAME:
        raise NotFound(f"There is no decision model {ask.model[:60]!r}; there is {NAME}.", code="model_not_found")
    said = set(_words(ask.state))
    answers = {name: _answer(name, question, said) for name, question in ask.questions.items()}
    return Decided(answers, NAME, Usage(estimate(ask.state), 0))


def _answer(name: str, question: Question, said: set[str]) -> Answer:
    if isinstance(question, Choice):
        return _choose(name, question, said)
    share = _share(question.instructions, said)
    if isinstance(question, Noul):
        return Answer(noul=share)
    if len(question.criteria) < 2:
        raise BadRequest(f"The question {name!r} needs two levels or more.")
    return Answer(score=round(share * (len(question.criteria) - 1), 2), confidence=0.5)


def _choose(name: str, question: Choice, said: set[str]) -> Answer:
    """The option with most words in the state, surer the further ahead it is of the next; the first when no word
    tells."""
    if not question.criteria:
        raise BadRequest(f"The question {name!r} has no options.")
    hits = {option: len(said & _telling(option, words)) for option, words in question.criteria.items()}
    ahead, *others = sorted(hits, key=lambda option: -hits[option])
    behind = hits[others[0]] if others else 0
    if not hits[ahead]:
        return Answer(choice=ahead, confidence=round(1 / len(hits), 2))
    return Answer(choice=ahead, confidence=round((hits[ahead] + 0.5) / (hits[ahead] + behind + 1), 2))


def _telling(option: str, described: str | None) -> set[str]:
    if option == Shape.GENERAL:
        return set()
    return set(_words(_TELLING[option])) if option in _TELLING else _longer(f"{option} {described or ''}")


def _share(instructions: str, said: set[str]) -> float:
    asked = _longer(instructions)
    return round(len(asked & said) / len(asked), 2) if asked else 0.5


def _longer(text: str) -> set[str]:
    return {word for word in _words(text) if len(word) >= _SHORTEST}


def _words(text: str) -> Iterable[str]:
    return re.findall(r"\w+", text.lower())

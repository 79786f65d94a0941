"""What a model that is taken on is asked, and how it did. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, Final, Protocol

from msgspec import Struct

from probes.asking import Question, worst
from probes.health.store_abilities import ABILITIES
from probes.questions import IMAGE, INSTRUCT, LARGE, REASONING, SCHEMA, TINY, TOOLS

FREE_MARK: Final = ":free"
LARGE_TOKENS: Final = 12_000
"""A smaller window is not asked the large question, which some tokenizers make seven thousand tokens of."""
PLAIN: Final = frozenset({TINY.name, LARGE.name})
FINAL: Final = frozenset({"structural", "paywalled", "entitlement", "signin"})
"""Failures that another question to the same model would only repeat."""
_WORDS: Final[tuple[tuple[str, str, str], ...]] = (
    (INSTRUCT.name, "follows instructions", "does not follow instructions"),
    (TOOLS.name, "calls tools", "calls no tool"),
    (IMAGE.name, "sees pictures", "does not see pictures"),
    (SCHEMA.name, "keeps to a JSON schema", "does not keep to a JSON schema"),
    (REASONING.name, "reasons", "shows no reasoning"),
)


class Sample(Protocol):
    """What came of a question."""

    @property
    def prompt(self) -> str: ...
    @property
    def answered(self) -> bool: ...
    @property
    def passed(self) -> bool | None: ...
    @property
    def failure(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def seconds(self) -> float: ...


class Trouble(Struct, frozen=True):
    """Why nothing was answered: the worst failure class, and the provider's own words for it."""

    failure: str
    words: str


def plain_questions(served: str, context_window: int | None) -> list[tuple[Question, int]]:
    """(question, how often) of those that tell whether it answers. A free model has few calls a day, so it is asked
    each once."""
    often = 1 if served.endswith(FREE_MARK) else 2
    fits = context_window is None or context_window >= LARGE_TOKENS
    return [(TINY, often), *([(LARGE, often)] if fits else [])]


def graded_questions(claims: Mapping[str, Any]) -> list[Question]:
    """Those that tell what it can do, once each. Pictures, JSON by schema and reasoning only where they are claimed."""
    claimed = (question for question in (IMAGE, SCHEMA, REASONING) if claims.get(ABILITIES[question.name]) is True)
    return [INSTRUCT, TOOLS, *claimed]


def hopeless(samples: Iterable[Sample]) -> bool:
    """Whether what failed so far would fail again, whatever is asked."""
    plain = [sample for sample in samples if sample.prompt in PLAIN]
    return bool(plain) and all(sample.failure in FINAL for sample in plain)


def answers(samples: Iterable[Sample]) -> bool:
    """Did it answer at all? What is told by the plain questions alone."""
    return any(sample.answered for sample in samples if sample.prompt in PLAIN)


def trouble(samples: Sequence[Sample]) -> Trouble:
    """Why it did not."""
    failure = worst(sample.failure for sample in samples)
    words = next((sample.detail for sample in samples if sample.failure == failure and sample.detail), "")
    return Trouble(failure, words or "nothing came back")


def grade(samples: Sequence[Sample]) -> str:
    """How it did, in one line."""
    plain = [sample for sample in samples if sample.prompt in PLAIN]
    good = [sample for sample in plain if sample.answered]
    said = [f"answered {len(good)}/{len(plain)} in {_seconds(good)}"] if good else [f"answered 0/{len(plain)}"]
    for name, passed, failed in _WORDS:
        found = next((sample for sample in samples if sample.prompt == name), None)
        if found is None:
            continue
        if not found.answered:
            said.append(f"{name}: {found.failure or 'no answer'}")
        elif found.passed is not None:
            said.append(passed if found.passed else failed)
    return "; ".join(said)


def tell(sample: Sample) -> str:
    """What came of one question, in one line."""
    if not sample.answered:
        return f"{sample.prompt}: {sample.failure}, {sample.detail or 'nothing came back'}"
    right = {True: ", right", False: f", wrong: {sample.detail}" if sample.detail else ", wrong", None: ""}
    return f"{sample.prompt}: answered in {sample.seconds:.1f} s{right[sample.passed]}"


def _seconds(good: Sequence[Sample]) -> str:
    tiny = [sample.seconds for sample in good if sample.prompt == TINY.name] or [sample.seconds for sample in good]
    return f"{median(tiny):.1f} s"

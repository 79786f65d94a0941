"""What is kept of the answers of a look."""

from __future__ import annotations

import pytest

from probes.asking import Seen
from probes.health.looks import QUESTIONS, READ, look_of

TEXTS = {
    "number": "**427**",
    "word": "Blorvin!",
    "name": "Elias Thorne\n",
    "cutoff": "My data ends in 2024-06.",
    "habit": "1. **Apple**: sweet\n2. **Lime**: sour\n3. **Banana**: mild",
}


def answered(tokens: int | None = 30, **texts: str) -> list[Seen]:
    return [
        Seen(7, "fast", name, True, served_as="vendor/one", tokens_in=tokens, text=text)
        for name, text in {**TEXTS, **texts}.items()
    ]


def test_a_look_is_its_features() -> None:
    look = look_of(answered())
    assert look is not None
    assert look.served_as == "vendor/one"
    assert look.answers == {
        "number": "427",
        "word": "blorvin",
        "name": "elias thorne",
        "cutoff": "2024-06",
        "habit": "111 bold colon",
        "tokens": "30/30/30/30/30",
    }


def test_without_counts_there_is_no_feature_of_them_and_without_an_answer_no_look() -> None:
    look = look_of(answered(tokens=None))
    assert look is not None
    assert "tokens" not in look.answers
    assert look_of(answered()[:-1]) is None


@pytest.mark.parametrize(
    ("name", "text", "feature"),
    [
        ("number", "I pick 7.", "7"),
        ("number", "seven", "none"),
        ("cutoff", "June 2024", "june 2024"),
        ("cutoff", "I do not know.", "none"),
        ("habit", "- apple\n- lime\n- fig", "---"),
        ("habit", "Here you are:\n\n* apple\n* lime", "a** colon"),
        ("habit", "Apples are sweet \u2014 limes are sour.", "a dash"),
    ],
)
def test_what_is_kept_of_an_answer(name: str, text: str, feature: str) -> None:
    assert READ[name](text) == feature


def test_a_look_is_at_most_five_short_questions_at_temperature_nought() -> None:
    assert len(QUESTIONS) <= 5
    assert {question.ask.knobs.temperature for question in QUESTIONS} == {0.0}
    assert all(len(question.ask.turns[0].text) < 250 for question in QUESTIONS)

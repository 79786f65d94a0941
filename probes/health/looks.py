"""What a look at a model asks, and what of each answer is kept: features that differ from model to model and hardly
from day to day. Five short questions at temperature 0."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gateway.canon.ask import Knobs
from probes.asking import Question, Seen
from probes.health.compare import TOKENS, Look
from probes.questions import ask

ODD: Final = (
    "zqxv-Überfluß_0x7F\u2026 \u6f22\u5b57\u3068\u304b\u306a \U0001f98a\U0001f9ed <|sep|> snörkl00p;;aeiouyyy "
    "3.14159e-27 \u0645\u0631\u062d\u0628\u0627"
)
"""Text that every tokenizer cuts up in its own way."""
_COLD: Final = Knobs(temperature=0.0, max_tokens=2048)
_LONGEST: Final = 60


def _question(name: str, text: str) -> Question:
    return Question(name, ask(text, knobs=_COLD))


QUESTIONS: Final = (
    _question("number", "Pick a number from 1 to 1000. Answer with the number alone."),
    _question("word", f"Here is some noise: {ODD}\nInvent a new word of two syllables. Answer with that word alone."),
    _question("name", "Invent the full name of a lighthouse keeper. Answer with the name alone."),
    _question("cutoff", "In which month does your knowledge end? Answer as YYYY-MM, and nothing else."),
    _question("habit", "Name three fruits and say of each how it tastes."),
)


def look_of(seen: Sequence[Seen]) -> Look | None:
    """What these answers, one a question, show; None when one is missing."""
    by_prompt = {one.prompt: one for one in seen if one.answered and not one.refusal}
    if any(question.name not in by_prompt for question in QUESTIONS):
        return None
    answers = {name: read(by_prompt[name].text)[:_LONGEST] for name, read in READ.items()}
    counts = [by_prompt[question.name].tokens_in for question in QUESTIONS]
    if all(counts):
        answers[TOKENS] = "/".join(map(str, counts))
    named = next((one.served_as for one in by_prompt.values() if one.served_as), "")
    return Look({name: value for name, value in answers.items() if value}, named)


def _number(text: str) -> str:
    found = re.search(r"\d+", text)
    return found.group() if found else "none"


def _letters(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", text.casefold()))


def _month(text: str) -> str:
    forms = (r"\d{4}-\d{2}", r"\b[a-z]+ \d{4}\b", r"\d{4}")
    found = next((hit for form in forms if (hit := re.search(form, text.casefold()))), None)
    return found.group() if found else "none"


def _shape(text: str) -> str:
    """How the answer is written: the mark that each line begins with, and what is emphasised."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    marks = "".join(_mark(line) for line in lines)
    traits = [("bold", "**"), ("colon", ":"), ("dash", "\u2014"), ("hyphen", " - ")]
    return " ".join([marks, *[name for name, sign in traits if sign in text]])


def _mark(line: str) -> str:
    if re.match(r"\d+[.)]", line):
        return "1"
    return line[0] if line[0] in "-*\u2022#" else "a"


READ: Final[Mapping[str, Callable[[str], str]]] = {
    "number": _number,
    "word": _letters,
    "name": _letters,
    "cutoff": _month,
    "habit": _shape,
}

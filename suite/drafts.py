"""A task before it is a row: what is asked, the key, and where it is from. Pure."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct, field

from gateway.canon.kinds import TaskShape
from suite.keys import digest_of


class Draft(Struct, frozen=True):
    """The fields are those of the rows (suite.models.task); `attachments` is a list of {name, text}."""

    slug: str
    title: str
    shape: TaskShape
    prompt: str
    key: dict[str, Any]
    attachments: list[dict[str, str]] = field(default_factory=list)
    why: str = ""
    origin: str = "hand"
    language: str = ""
    mutation: str = ""
    pair: str = ""
    control: bool = False
    source: str = ""
    source_url: str = ""
    licence: str = ""
    created_on: date | None = None
    contamination: str = ""

    @property
    def digest(self) -> str:
        return digest_of(self.prompt, self.attachments, self.key)


def numbered(source: str, first: int = 1) -> str:
    """The lines with their numbers, right-aligned before a bar, so that nobody has to count."""
    lines = source.splitlines()
    width = len(str(first + len(lines) - 1))
    return "\n".join(f"{number:>{width}} | {line}".rstrip() for number, line in enumerate(lines, first))


def bug_key(lines: tuple[int, ...]) -> dict[str, Any]:
    """The key of a hunt whose bug stands at one of these lines."""
    numbers = "|".join(str(line) for line in lines)
    label = f"line {' or '.join(str(line) for line in lines)}"
    return {
        "must_find": [
            {"regex": rf"^fault\W{{0,4}}\s*(?:at |on |in )?lines?\W{{0,3}}\s*(?:{numbers})\b", "label": label}
        ],
        "must_not_claim": ["no fault"],
        "score_in": "first_line",
        "min_answer_chars": 8,
        "lines": list(lines),
    }


def control_key() -> dict[str, Any]:
    """The key of a hunt in code that is as it should be."""
    return {
        "must_find": ["no fault"],
        "must_not_claim": [{"regex": r"^fault\b", "label": "a fault"}],
        "score_in": "first_line",
        "min_answer_chars": 8,
    }

"""Names and texts for seeded rows, of the lengths that real ones have."""

from __future__ import annotations

from random import Random
from typing import Final

BIRDS: Final = (
    *("osprey", "wren", "heron", "tern", "quill", "granite", "siskin", "plover", "dunlin", "egret", "fulmar", "gannet"),
    *("jackdaw", "kestrel", "lapwing", "martin", "nightjar", "oriole", "petrel", "rook", "skua", "teal", "whimbrel"),
)
TEXT: Final = (
    "the lock is released before the write so a second caller may read what was there and the retry has no jitter "
    "which means that all clients come back at once while the timeout covers the connect alone and not the read "
    "a cursor is kept open for each page and nobody closes it when the request is cut short by its caller"
)
WORDS: Final = TEXT.split()


def names(count: int) -> list[str]:
    """So many aliases, no two alike."""
    return [f"{BIRDS[number % len(BIRDS)]}-{number // len(BIRDS) * 7 + 3}b" for number in range(count)]


def sentence(rng: Random, words: int) -> str:
    """So many words that begin with a capital."""
    text = " ".join(rng.choice(WORDS) for _ in range(words))
    return text[0].upper() + text[1:]


def answers(rng: Random, count: int) -> list[str]:
    """Answers with a list of findings, of 200 to 2,500 characters."""
    made = []
    for _ in range(count):
        findings = "\n".join(f"- {sentence(rng, rng.randint(6, 22))}." for _ in range(rng.randint(1, 9)))
        made.append(f"{sentence(rng, rng.randint(8, 60))}.\n\n{findings}\n\n{sentence(rng, rng.randint(5, 60))}.")
    return made


def prompts(rng: Random, count: int) -> list[str]:
    """What was asked: mostly short, now and then a file."""
    code = "\n".join(f"    value_{number} = read(value_{number})" for number in range(120))
    return [
        f"{sentence(rng, rng.randint(8, 40))}?" + (f"\n\n```python\n{code}\n```" if number % 5 == 0 else "")
        for number in range(count)
    ]

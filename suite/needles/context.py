"""The text that a needle is hidden in: whole files in order around the needle's own, cut at both ends so that it
stands as deep as it should. Pure. A recipe says how, in a few hundred bytes; its digest tells whether the same text
came out again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from suite.keys import whole_prompt

NAME: Final = "needle.json"
"""What the attachment is called that holds a recipe."""
LAST_WORDS: Final = (
    "===== END OF THE CODE =====\nNow answer what was asked at the top. The first line is the name of the function and "
    "nothing else."
)
TOKEN_CHARACTERS: Final = (40, 11)
"""So many characters are so many tokens by the gateway's estimate (gateway.canon.tokens)."""


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """`tokens` is the size of the whole question by the gateway's estimate, `depth` where the needle stands in the
    code, from 0 to 1. `packages` are the packages with their releases. `before` and `after` name the files on both
    sides, nearest first; `file` has the needle at its lines `first` to `last`, from 1. `room` are the characters of
    code before it and after it. `digest` is the SHA-256 of the code in hex."""

    tokens: int
    depth: float
    packages: dict[str, str]
    before: tuple[str, ...]
    file: str
    first: int
    last: int
    after: tuple[str, ...]
    room: tuple[int, int]
    digest: str = ""

    def attached(self) -> dict[str, str]:
        """As an attachment of a version."""
        return {"name": NAME, "text": msgspec.json.encode(self).decode()}


def read_recipe(attachments: Sequence[Mapping[str, str]]) -> Recipe | None:
    """The recipe among a version's attachments; None where there is none. Raises msgspec.MsgspecError."""
    if len(attachments) != 1 or attachments[0].get("name") != NAME:
        return None
    return msgspec.json.decode(attachments[0]["text"], type=Recipe)


def room(tokens: int, depth: float, prompt: str, needle: str) -> tuple[int, int]:
    """(characters of code before the needle, characters after it) that make the whole question so many tokens."""
    many, few = TOKEN_CHARACTERS
    left = tokens * many // few - len(whole(prompt, "")) - len(needle)
    before = round(left * depth)
    return before, left - before


def reaching(names: Iterable[str], lengths: Mapping[str, int], characters: int) -> tuple[str, ...] | None:
    """As many of these as hold the characters, in order; None where all of them together do not."""
    taken: list[str] = []
    for name in names:
        if characters <= 0:
            break
        taken.append(name)
        characters -= lengths[name]
    return tuple(taken) if characters <= 0 else None


def code(recipe: Recipe, read: Callable[[str], str]) -> str:
    """The code that the recipe describes; `read` gives the text of a file by its name."""
    lines = read(recipe.file).splitlines()
    head = [(recipe.file, lines[: recipe.first - 1]), *((name, read(name).splitlines()) for name in recipe.before)]
    tail = [(name, read(name).splitlines()) for name in recipe.after]
    needle = "\n".join(lines[recipe.first - 1 : recipe.last])
    return "".join([_last(head, recipe.room[0]), needle, _first(lines[recipe.last :], tail, recipe.room[1])])


def whole(prompt: str, text: str) -> str:
    """What a model is sent."""
    return "\n\n".join([whole_prompt(prompt, []), text, LAST_WORDS])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _head(name: str, line: int) -> str:
    where = "" if line == 1 else f" (from line {line})"
    return f"===== FILE: {name}{where} =====\n"


def _last(files: Sequence[tuple[str, list[str]]], characters: int) -> str:
    """The end of these files, the last of them first: about so many characters, in whole lines."""
    blocks: list[str] = []
    for name, lines in files:
        start = len(lines)
        while start and characters > 0:
            start -= 1
            characters -= len(lines[start]) + 1
        blocks.append(_head(name, start + 1) + "".join(f"{line}\n" for line in lines[start:]))
        characters -= len(blocks[-1].partition("\n")[0]) + 2
        if characters <= 0:
            break
    return "\n".join(reversed(blocks))


def _first(rest: list[str], files: Sequence[tuple[str, list[str]]], characters: int) -> str:
    """The beginning of what comes after the needle, about so many characters of it."""
    parts: list[str] = ["\n"]
    blocks = [("", rest), *((_head(name, 1), lines) for name, lines in files)]
    for head, lines in blocks:
        if characters <= 0:
            break
        parts.append(f"\n{head}" if head else "")
        characters -= len(head) + 1
        for line in lines:
            if characters <= 0:
                break
            parts.append(f"{line}\n")
            characters -= len(line) + 1
    return "".join(parts).rstrip("\n")

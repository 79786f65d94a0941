"""How aliases are formed and followed. Pure: the names in use and the history come in as arguments."""

from __future__ import annotations

import re
from collections.abc import Collection as Names
from collections.abc import Mapping

from gateway.canon.names import ALIAS

LONGEST = 64
ALIAS_RULE = (
    "An alias has 2 to 64 characters: letters, digits, dots, hyphens and underscores, the first a letter or digit."
)


class AliasLoop(Exception):
    """The alias history leads back to itself."""


def derive_alias(served: str, *, taken: Names[str] = (), connection: str = "") -> str:
    """An alias for a served name: its last path segment, `:` as `-`, version numbers kept.

    When that is taken, whatever the case, the connection or `alt` is appended, and then a number. The result is
    empty when the served name has no usable character.
    """
    tail = re.sub(r"[^A-Za-z0-9._-]", "-", served.rstrip("/").rsplit("/", 1)[-1].replace(":", "-"))
    stem = tail.lstrip("._-")[:LONGEST]
    if len(stem) == 1:
        stem += "-model"
    if ALIAS.fullmatch(stem) is None:
        return ""
    used = {name.casefold() for name in taken}
    if stem.casefold() not in used:
        return stem
    ending = re.sub(r"[^A-Za-z0-9._-]", "-", connection.split("/", 1)[0]) or "alt"
    number = 1
    while True:
        suffix = f"-{ending}" if number == 1 else f"-{ending}-{number}"
        candidate = stem[: LONGEST - len(suffix)] + suffix
        if candidate.casefold() not in used:
            return candidate
        number += 1


def follow_alias(alias: str, history: Mapping[str, str]) -> str:
    """What the model of this alias is called today; the alias itself when it was never renamed.

    :raises AliasLoop: the history is damaged.
    """
    seen = {alias}
    while alias in history:
        alias = history[alias]
        if alias in seen:
            raise AliasLoop(f"The alias history leads from {alias} back to itself.")
        seen.add(alias)
    return alias

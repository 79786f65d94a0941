"""A place where a change can be planted, and the edit of text that plants it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct

KINDS: Final = (
    "compare",
    "boolop",
    "return-bool",
    "not",
    "number",
    "args",
    "off-by-one",
    "break-continue",
    "remove-call",
    "augassign",
)
TOKEN_KINDS: Final = KINDS[:4]
"""Those that change one token; the kinds for single functions unless others are asked for."""


class Site(Struct, frozen=True, order=True):
    """On `line` (from 1), the characters from `start` up to `end` (from 0) become `new`. With `deletes` the whole line
    goes instead."""

    line: int
    start: int
    end: int
    kind: str
    new: str
    deletes: bool = False


class Part(Struct, frozen=True):
    """Lines `first` to `last` (from 1, both counted) of a source: a function with its decorators, or the whole."""

    name: str
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class Planted(Struct, frozen=True):
    """The source with the change. `lines` are those at which a right answer may point; `before` and `after` the changed
    line, `after` empty where it is gone."""

    source: str
    lines: tuple[int, ...]
    before: str
    after: str


class Language(Protocol):
    """What seeding asks of a language."""

    name: str
    endings: tuple[str, ...]
    kinds: tuple[str, ...]

    def parts(self, source: str) -> Sequence[Part]:
        """The functions, in order. Empty where it cannot be parsed."""

    def sites(self, source: str, kinds: Iterable[str]) -> Sequence[Site]:
        """Every place for a change of these kinds, in order. Empty where the source cannot be parsed."""

    def same(self, one: str, other: str) -> bool:
        """Whether both mean the same, or the second cannot be parsed: no change in either case."""


def plant(source: str, site: Site, language: Language) -> Planted | None:
    """The source with the change; None where that would be none, or would not parse."""
    lines = source.splitlines(keepends=True)
    before = lines[site.line - 1]
    if site.deletes:
        changed = [*lines[: site.line - 1], *lines[site.line :]]
        answers = tuple(number for number in (site.line - 1, site.line) if 1 <= number <= len(changed))
        after = ""
    else:
        after = before[: site.start] + site.new + before[site.end :]
        changed = [*lines[: site.line - 1], after, *lines[site.line :]]
        answers = (site.line,)
    text = "".join(changed)
    if language.same(source, text):
        return None
    return Planted(text, answers, before.rstrip("\n"), after.rstrip("\n"))

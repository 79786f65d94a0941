"""Finds the line of every table and field of a TOML text, which the standard reader does not tell.

Pure. Assumes that the text is valid TOML. Follows strings, brackets and comments just far enough to know where a
line starts a table or a key; never interprets a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?=[.=])""")
_BEFORE_VALUE = re.compile(r"[^=]*=")


@dataclass
class Place:
    """Where one table begins, and each of its fields. Both count from 1; a field that was not seen is at the table's
    line.
    """

    section: str
    line: int
    fields: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """The line of a field, or of the table."""
        return self.fields.get(name, self.line)


def find_places(text: str) -> list[Place]:
    """The tables in order, first the nameless one before any header.

    A table below another (`[model.options]`) is a field of the latest table of that name, and so is a dotted key.
    """
    top = Place("", 1)
    places = [top]
    latest = {"": top}
    here: Place | None = top
    scanner = _Scanner()
    for number, line in enumerate(text.splitlines(), start=1):
        start_of_statement = scanner.at_start
        if start_of_statement and (header := _HEADER.match(line)) and not line.lstrip().startswith("#"):
            section, *below = _parts(header[2])
            if below:
                here = None  # its keys belong to a table below, not to a table of ours
                latest.setdefault(section, Place(section, number)).fields.setdefault(below[0], number)
            else:
                here = Place(section, number)
                places.append(here)
                latest[section] = here
            continue
        if start_of_statement and (key := _KEY.match(line)):
            if here is not None:
                here.fields.setdefault(_bare(key[1]), number)
            line = _BEFORE_VALUE.sub("", line, count=1)
        scanner.feed(line)
    return places


def _parts(dotted: str) -> list[str]:
    return [_bare(part.strip()) for part in dotted.split(".")]


def _bare(key: str) -> str:
    return key[1:-1] if key[:1] in {'"', "'"} else key


class _Scanner:
    """Knows whether the next line begins a statement, or continues a string or a list of the one before."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""

    @property
    def at_start(self) -> bool:
        return self.depth == 0 and not self.quote

    def feed(self, line: str) -> None:
        at = 0
        while at < len(line):
            at = self._in_string(line, at) if self.quote else self._outside(line, at)
        if len(self.quote) == 1:
            self.quote = ""

    def _in_string(self, line: str, at: int) -> int:
        if line[at] == "\\" and self.quote[0] == '"':
            return at + 2
        if line.startswith(self.quote, at):
            at += len(self.quote)
            # A long string may end in up to two quotes of its own.
            while len(self.quote) == 3 and line.startswith(self.quote[0], at):
                at += 1
            self.quote = ""
            return at
        return at + 1

    def _outside(self, line: str, at: int) -> int:
        sign = line[at]
        if sign == "#":
            return len(line)
        if sign in "\"'":
            self.quote = sign * 3 if line.startswith(sign * 3, at) else sign
            return at + len(self.quote)
        self.depth += (sign in "[{") - (sign in "]}")
        return at + 1

"""The task that every agent is given, and how it is judged: by the file, not by what the program says or exits with."""

from __future__ import annotations

import re

from msgspec import Struct

NOTES = "notes.txt"
LAST = "second line"
LINE = "appended line"
BEFORE = f"first line\n{LAST}\n"
AFTER = f"{BEFORE}{LINE}\n"
_WORDS = "Read the file {path} and then append the line '{line}' to it."
_READ = re.compile(
    re.escape(_WORDS).replace(r"\{path\}", r"(?P<path>/[^\s'\"]+)").replace(r"\{line\}", r"(?P<line>[^']+)")
)


class Task(Struct, frozen=True):
    """A line to be added to the end of the file at `path`, which is absolute."""

    path: str
    line: str = LINE

    @property
    def prompt(self) -> str:
        """The task in words."""
        return _WORDS.format(path=self.path, line=self.line)


def find_task(text: str) -> Task | None:
    """The last task in words somewhere in `text`."""
    found = list(_READ.finditer(text))
    return Task(found[-1]["path"], found[-1]["line"]) if found else None


def judge(left: str | None) -> str:
    """What is wrong with the file as it was left; empty when it was edited as asked. None: it is gone."""
    if left is None:
        return "the file is gone"
    if left.rstrip("\n") == AFTER.rstrip("\n"):
        return ""
    if left == BEFORE:
        return "the file is as it was"
    if left.count(LINE) > 1:
        return "the line was appended more than once"
    return f"the file was edited otherwise: {left[:200]!r}"

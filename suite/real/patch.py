"""Reads a fix, which comes as a unified diff, and says whether a task can be made of it. Pure.

Kept is what changes one Python file besides tests, in one place, by a few lines of code: then the lines that it changed
name the bug. Everything else is turned down with a reason that is the same words each time, so that reasons count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

MOST_LINES: Final = 5
"""Lines that a fix may remove, and lines that it may add."""
_HEAD: Final = re.compile(r"^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_TEST: Final = re.compile(r"(?:^|/)(?:tests?|testing)(?:/|_)|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|tests?)\.py$")
_NOWHERE: Final = "/dev/null"


class Unfit(Exception):
    """No task can be made of it; the text says why, in a few words that are the same for all of a kind."""


class Change(Struct, frozen=True):
    """A change at one place of the file `path`: `start` is the line of the file before it, from 1, at which `lines`
    begin, each as (tag, text): " " stays, "-" goes, "+" comes. Only texts that stay stand around those that do not."""

    path: str
    start: int
    lines: tuple[tuple[str, str], ...]

    @property
    def removed(self) -> list[str]:
        return [text for tag, text in self.lines if tag == "-"]

    @property
    def added(self) -> list[str]:
        return [text for tag, text in self.lines if tag == "+"]


class _Hunk(Struct):
    start: int
    lines: list[tuple[str, str]]


class _File(Struct):
    old: str = ""
    new: str = ""
    hunks: list[_Hunk] = []


def is_test(path: str) -> bool:
    """Whether a file of this path belongs to the tests."""
    return _TEST.search(path) is not None


def read_change(patch: str) -> Change:
    """The change.

    :raises Unfit: it changes too much, too little, or something else than one Python file.
    """
    files = list(_files(patch))
    if len(files) != 1:
        raise Unfit("changes more than one file" if files else "no diff of a file")
    (file,) = files
    if _NOWHERE in (file.old, file.new) or file.old != file.new:
        raise Unfit("adds, deletes or renames a file")
    if not file.new.endswith(".py") or is_test(file.new):
        raise Unfit("not a Python source file")
    if len(file.hunks) != 1:
        raise Unfit("changes several places" if file.hunks else "no change of lines")
    (hunk,) = file.hunks
    change = Change(file.new, hunk.start, tuple(hunk.lines))
    _check(change)
    return change


def _check(change: Change) -> None:
    at = [place for place, (tag, _) in enumerate(change.lines) if tag != " "]
    if not at or at != list(range(at[0], at[-1] + 1)):
        raise Unfit("changes several places")
    if len(change.removed) > MOST_LINES or len(change.added) > MOST_LINES:
        raise Unfit(f"more than {MOST_LINES} lines removed or added")
    if bare(change.removed) == bare(change.added):
        raise Unfit("only comments or layout")


def bare(lines: Sequence[str]) -> list[str]:
    """The lines without comments, blank ones and the spaces within a line. How far one is indented stays, because that
    is code in Python; so do spaces between quotes."""
    found = []
    for line in lines:
        code = _bare(line.strip())
        if code:
            found.append(line[: len(line) - len(line.lstrip())] + code)
    return found


def _bare(line: str) -> str:
    quote, kept, at = "", [], 0
    while at < len(line):
        one = line[at]
        if quote and one == "\\":
            kept.append(line[at : at + 2])
            at += 2
            continue
        if not quote and one == "#":
            break
        if one in "\"'" and quote in ("", one):
            quote = "" if quote else one
        if quote or not one.isspace():
            kept.append(one)
        at += 1
    return "".join(kept)


def _files(patch: str) -> Iterator[_File]:
    """The files of a diff with their places. Lines that stay may have lost the space before them."""
    file: _File | None = None
    lines = iter(patch.replace("\r\n", "\n").split("\n"))
    for line in lines:
        if line.startswith("diff --git "):
            if file is not None:
                yield file
            file = _git_names(line)
        elif line.startswith("--- "):
            if file is None or file.hunks:  # a diff without git's own lines
                if file is not None:
                    yield file
                file = _File(hunks=[])
            file.old = _name(line[4:])
        elif line.startswith("+++ ") and file is not None:
            file.new = _name(line[4:])
        elif (head := _HEAD.match(line)) and file is not None:
            file.hunks.append(_hunk(head, lines))
    if file is not None:
        yield file


def _git_names(line: str) -> _File:
    """Both names where they are one and the same, so that a file whose mode alone changed has its name too."""
    half = line.removeprefix("diff --git ")
    middle = (len(half) - 1) // 2
    old, new = half[:middle], half[middle + 1 :]
    same = _name(old) == _name(new)
    return _File(_name(old), _name(new), []) if same else _File("a", "b", [])


def _name(words: str) -> str:
    name = words.split("\t", 1)[0].strip().strip('"')
    return name if name == _NOWHERE else re.sub(r"^[ab]/", "", name)


def _hunk(head: re.Match[str], lines: Iterator[str]) -> _Hunk:
    old_left, new_left = int(head[2] or 1), int(head[4] or 1)
    # A place where nothing stood is named by the line before it.
    hunk = _Hunk(int(head[1]) + (old_left == 0), [])
    while old_left > 0 or new_left > 0:
        line = next(lines, None)
        if line is None:
            raise Unfit("the diff is cut off")
        tag, text = (line[0], line[1:]) if line else (" ", "")
        if tag == "\\":  # "no newline at end of file"
            continue
        if tag not in " +-":
            raise Unfit("the diff is damaged")
        old_left -= tag != "+"
        new_left -= tag != "-"
        hunk.lines.append((tag, text))
    return hunk

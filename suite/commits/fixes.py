"""Which commits of a repository look like the repair of a bug: one Python file besides tests, and either its message
says so or a test changed with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from suite.commits.git import git
from suite.real.patch import is_test

_FIX: Final = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix\w*|repair\w*|correct(?:s|ed)?|regression|crash\w*|wrong(?:ly)?|broken|fault"
    r"|off[- ]by[- ]one|(?:close[sd]?|resolve[sd]?)\s+#\d+)\b",
    re.I,
)
_NO_FIX: Final = re.compile(
    r"\b(?:typos?|spelling|wording|docs?|documentation|docstrings?|lint\w*|format(?:ting)?|style|ruff|flake8|pylint"
    r"|mypy|typing|type hints?|annotations?|comments?|changelog|bump\w*|merge[sd]?|revert\w*|releases?)\b",
    re.I,
)
_RECORD: Final = "\x1e"
_FIELD: Final = "\x1f"


class Commit(Struct, frozen=True):
    """A commit with one parent. `files` are (status, path) as git tells them: A, M, D or T."""

    sha: str
    day: date
    message: str
    files: tuple[tuple[str, str], ...]

    @property
    def subject(self) -> str:
        return self.message.strip().splitlines()[0] if self.message.strip() else ""

    @property
    def tests(self) -> tuple[str, ...]:
        """Python files of tests that are there after it."""
        return tuple(path for status, path in self.files if path.endswith(".py") and is_test(path) and status != "D")

    @property
    def sources(self) -> tuple[str, ...]:
        """Python files besides tests."""
        return tuple(path for _, path in self.files if path.endswith(".py") and not is_test(path))

    @property
    def looks_like_a_fix(self) -> bool:
        """One Python file was changed besides tests, and the message or a test says that something was wrong. Files
        that are no Python do not matter, such as what says what is new."""
        changed = [path for status, path in self.files if path in self.sources and status == "M"]
        if len(self.sources) != 1 or len(changed) != 1:
            return False
        return bool(self.tests) or reads_as_fix(self.message)


def reads_as_fix(message: str) -> bool:
    """Whether a message says that a bug was repaired. What its first line says it is about otherwise wins."""
    first = message.strip().splitlines()[0] if message.strip() else ""
    return _FIX.search(message) is not None and _NO_FIX.search(first) is None


def commits(repository: Path, most: int) -> Iterator[Commit]:
    """The newest commits, merges left out.

    :raises NoRepository: it is none.
    """
    form = f"--format={_RECORD}%H{_FIELD}%cs{_FIELD}%B{_FIELD}"
    words = ("log", "--no-merges", "--no-renames", "--name-status", f"-n{most}", form)
    for record in git(repository, *words).split(_RECORD)[1:]:
        sha, day, message, files = record.split(_FIELD, 3)
        pairs = (line.split("\t", 1) for line in files.splitlines() if "\t" in line)
        yield Commit(sha, date.fromisoformat(day), message.strip(), tuple((status, path) for status, path in pairs))

"""Which program this is: its version, and in a clone its commit and when that came. Read from files alone.

The version stands in pyproject.toml and nowhere else; an installed copy has it in what was made of that file.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

NAME = "benchwarmers"
ROOT = Path(__file__).resolve().parent.parent
_HASH = re.compile(r"[0-9a-f]{40,64}")
_MOVED = re.compile(r"[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}\t")


@dataclass(frozen=True, slots=True)
class Version:
    """`commit` and `at` are empty and None where nobody can tell."""

    number: str
    commit: str = ""
    at: datetime | None = None

    @property
    def short(self) -> str:
        """The commit as people write it."""
        return self.commit[:10]


@cache
def version() -> Version:
    """Of this process."""
    return read_version(ROOT)


def read_version(root: Path) -> Version:
    """Of the program in this folder."""
    if (number := _number(root / "pyproject.toml")) is None:
        return Version(metadata.version(NAME))
    return Version(number, *_commit(root / ".git"))


def _number(project: Path) -> str | None:
    """None where this is no clone: other packages may leave files beside an installed one."""
    try:
        told = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
    except (FileNotFoundError, tomllib.TOMLDecodeError):
        return None
    return str(told["version"]) if told.get("name") == NAME else None


def _commit(git: Path) -> tuple[str, datetime | None]:
    head = _text(git / "HEAD")
    name = head.removeprefix("ref: ")
    commit = head if _HASH.fullmatch(head) else _text(git / name) or _packed(git, name)
    last = (_text(git / "logs" / "HEAD").splitlines() or [""])[-1]
    moved = _MOVED.match(last)
    at = datetime.fromtimestamp(int(moved[2]), UTC) if moved and moved[1] == commit else None
    return (commit, at) if _HASH.fullmatch(commit) else ("", None)


def _packed(git: Path, name: str) -> str:
    lines = (line.split() for line in _text(git / "packed-refs").splitlines())
    return next((words[0] for words in lines if len(words) == 2 and words[1] == name), "")


def _text(path: Path) -> str:
    """Empty where there is none: most installations are no clones."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return ""

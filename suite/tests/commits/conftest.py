"""A tiny repository with a past: each commit is one case."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

PICK = "def last(items):\n    end = len(items)\n    return items[end]\n"
FIXED = PICK.replace("items[end]", "items[end - 1]")
TEST = "from pick import last\n\nassert last([1, 2]) == 2\n"


class Past:
    """A repository that commits are made in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q")

    def git(self, *words: str) -> str:
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        done = subprocess.run(
            ["git", "-C", str(self.root), *identity, *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, message: str, **files: str) -> str:
        """Writes the files, whose names have __ for a slash and end with .py, and commits. Its id."""
        for name, text in files.items():
            file = self.root / (name.replace("__", "/") + ".py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path / "picker")

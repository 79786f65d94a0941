"""The code that changes are planted in: a local repository, or an installed package by its name. Reads files alone."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

PASSED_OVER: Final = (
    "test",
    "migrations",
    "vendor",
    "node_modules",
    "__pycache__",
    ".venv",
    "build",
    "dist",
    "site-packages",
)
LARGEST: Final = 400_000


class NoSource(Exception):
    """There is no such code here; the text says what was looked for."""


class Source(Struct, frozen=True):
    """A file: `name` from the root of what it belongs to, and its text."""

    name: str
    text: str

    @property
    def length(self) -> int:
        return self.text.count("\n") + (not self.text.endswith("\n"))


def package_root(name: str) -> Path:
    """The folder of an installed package.

    :raises NoSource: no such package, or one without files of its own.
    """
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise NoSource(f"There is no installed package {name}.")
    return Path(next(iter(spec.submodule_search_locations)))


def repository_root(path: Path) -> Path:
    """The folder itself.

    :raises NoSource: it is none.
    """
    if not path.is_dir():
        raise NoSource(f"{path} is no folder.")
    return path


def read_sources(root: Path, endings: Iterable[str], *, prefix: str = "") -> Iterator[Source]:
    """The files with these endings, in the order of their paths; tests, migrations, what others wrote, what was built
    and what cannot be read are passed over. `prefix` stands before each name."""
    wanted = tuple(endings)
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if not path.name.endswith(wanted) or _passed_over(parts) or not path.is_file():
            continue
        if path.stat().st_size > LARGEST:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        if text.strip() and "\0" not in text:
            yield Source(prefix + "/".join(parts), text)


def _passed_over(parts: Sequence[str]) -> bool:
    return any(part.lower().startswith(PASSED_OVER) for part in parts)

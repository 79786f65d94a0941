"""The file that a fix was made to: from the row itself, from a clone on this machine, or from where the project is
published."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from suite.real.patch import Unfit
from suite.real.rows import Row

RAW: Final = "https://raw.githubusercontent.com"
LIMIT_S: Final = 60.0
Texts = Callable[[Row, str], str]
"""The text of a file of this path before the fix. Raises Unfit when there is none."""


def texts_of(clones: Path | None, fetch: Callable[[str], str | None] | None) -> Texts:
    """Looks in the row, then below `clones`, then asks `fetch` for an address, which answers None where it is not to be
    had."""

    def text_of(row: Row, path: str) -> str:
        if path in row.files:
            return row.files[path]
        if clones is not None and (text := _from_clone(clones, row, path)) is not None:
            return text
        text = fetch(f"{RAW}/{row.repo}/{row.base}/{quote(path)}") if fetch is not None else None
        if text is None:
            raise Unfit("the file is not to be had")
        return text

    return text_of


def _from_clone(clones: Path, row: Row, path: str) -> str | None:
    """From owner/project, owner__project or project below the folder."""
    for name in (row.repo, row.repo.replace("/", "__"), row.repo.rpartition("/")[2]):
        clone = clones / name
        if ".." in Path(name).parts or Path(name).is_absolute() or not clone.is_dir():
            continue
        try:
            shown = subprocess.run(  # noqa: S603
                ["git", "-C", str(clone), "show", "--end-of-options", f"{row.base}:{path}"],  # noqa: S607
                capture_output=True,
                timeout=LIMIT_S,
                check=False,
            )
            if shown.returncode == 0:
                return shown.stdout.decode("utf-8")
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            continue
    return None

"""Runs git on a repository, which is read and never written to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

LIMIT_S: Final = 120.0
_SAFE: Final = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")
"""Nothing that a repository's own settings name is run, for it may be somebody else's; paths are told as they are."""


class NoRepository(Exception):
    """There is none, or git does not answer; the text is git's own."""


def git(folder: Path, *words: str) -> str:
    """What git says.

    :raises NoRepository: it fails.
    """
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *_SAFE, "-C", str(folder), *words],  # noqa: S607
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
            env=environment(),
        )
    except subprocess.TimeoutExpired:
        raise NoRepository(f"git {words[0]} did not end in {LIMIT_S:g} s.") from None
    except OSError as error:
        raise NoRepository(f"git cannot be run: {error.strerror}.") from None
    if done.returncode:
        raise NoRepository(done.stderr.decode(errors="replace").strip()[-300:] or f"git {words[0]} failed")
    return done.stdout.decode("utf-8", errors="surrogateescape")


def environment() -> Mapping[str, str]:
    """Without what points git at another repository, as its hooks do, and without questions."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}

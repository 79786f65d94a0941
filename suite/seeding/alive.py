"""Does a planted change matter? The code's own tests say so: a change that some test notices is alive.

Runs in a copy of the repository, one change at a time, with a time limit. What no test notices is not thrown away: it
is flagged, for a person to judge.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

LIMIT_S: Final = 300.0
LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache")


class Liveness(StrEnum):
    """`KILLED`: some test fails with the change. `SURVIVED`: none does. `UNKNOWN`: the tests do not pass without it, or
    there are none."""

    KILLED = "killed"
    SURVIVED = "survived"
    UNKNOWN = "unknown"


class Trial(Struct, frozen=True):
    """How the tests went with a change, and the last words they said."""

    liveness: Liveness
    words: str = ""


class Bed:
    """A copy of a repository in which tests run. `command` is what runs them, from its root; it ends with 0 when they
    pass."""

    def __init__(self, copy: Path, command: Sequence[str], limit_s: float = LIMIT_S) -> None:
        self._copy = copy
        self._command = list(command)
        self._limit_s = limit_s
        self._sound: bool | None = None

    def sound(self) -> bool:
        """Whether the tests pass without any change. Asked once."""
        if self._sound is None:
            self._sound = self._run()[0] == 0
        return self._sound

    def trial(self, name: str, source: str) -> Trial:
        """How the tests go with the file `name`, from the root, being `source`."""
        if not self.sound():
            return Trial(Liveness.UNKNOWN, "the tests do not pass as the code is")
        file = self._copy / name
        before = file.read_text(encoding="utf-8")
        try:
            file.write_text(source, encoding="utf-8")
            code, words = self._run()
        finally:
            file.write_text(before, encoding="utf-8")
        return Trial(Liveness.SURVIVED if code == 0 else Liveness.KILLED, words)

    def _run(self) -> tuple[int, str]:
        """(exit code, last words). What does not end in time fails: a change may make a loop endless."""
        # Compiled files are told apart by the second in which a source was written, and trials may share one.
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(  # noqa: S603 whoever seeds from a repository says what runs its tests
                self._command, cwd=self._copy, env=env, capture_output=True, timeout=self._limit_s, check=False
            )
        except subprocess.TimeoutExpired:
            return 1, f"no end in {self._limit_s:g} s"
        except OSError as error:
            return 1, f"{self._command[0]}: {error.strerror}"
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")[-300:].strip()


@contextmanager
def bed_of(root: Path, command: Sequence[str], limit_s: float = LIMIT_S) -> Iterator[Bed]:
    """A copy of the repository that goes away afterwards; the repository itself is never written to."""
    with tempfile.TemporaryDirectory(prefix="benchwarmers-seeding-") as folder:
        copy = Path(folder) / "code"
        shutil.copytree(root, copy, ignore=LEFT_OUT, symlinks=True)
        yield Bed(copy, command, limit_s)

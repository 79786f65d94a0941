"""Does a fix repair what the repository's tests see? They fail with the file as it was and pass with it as it is.

Runs in a clone that goes away afterwards, with a time limit. The tests are those of the fix in both runs, so that a
test that came with it is the one that tells.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from suite.commits.fixes import Commit
from suite.commits.git import environment, git

LIMIT_S: Final = 300.0
TESTS: Final = "{tests}"
"""Stands in a command for the tests that changed with the fix."""


class Verdict(StrEnum):
    """`PROVEN`: the tests fail before and pass after. The others say what was otherwise."""

    PROVEN = "its tests fail before and pass after"
    UNSEEN = "its tests pass before it too"
    BROKEN = "its tests do not pass after it"


class Proof(Struct, frozen=True):
    """What came of it, and the last words of the tests that failed."""

    verdict: Verdict
    words: str = ""


class Ground:
    """A clone in which tests run. `command` runs them from its root and ends with 0 when they pass."""

    def __init__(self, clone: Path, command: Sequence[str], limit_s: float = LIMIT_S) -> None:
        self._clone = clone
        self._command = tuple(command)
        self._limit_s = limit_s

    def prove(self, fix: Commit, path: str, before: str) -> Proof:
        """How the tests go with the file `path` as the fix left it, and with `before` in its place."""
        git(self._clone, "checkout", "-q", "-f", "--detach", fix.sha)
        git(self._clone, "clean", "-q", "-f", "-d", "-x")
        passed, words = self._run(fix.tests)
        if not passed:
            return Proof(Verdict.BROKEN, words)
        (self._clone / path).write_text(before, encoding="utf-8", newline="")
        passed, words = self._run(fix.tests)
        return Proof(Verdict.UNSEEN if passed else Verdict.PROVEN, words)

    def _run(self, tests: Sequence[str]) -> tuple[bool, str]:
        """(whether they pass, last words). What does not end in time does not pass: a bug may be an endless loop."""
        command = [word for one in self._command for word in (tests if one == TESTS else (one,))]
        # Compiled files are told apart by the second in which a source was written, and both runs may fall into one.
        env = {**environment(), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            run = subprocess.Popen(  # noqa: S603 whoever mines a repository says what runs its tests
                command,
                cwd=self._clone,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return False, f"{command[0]}: {error.strerror}"
        try:
            said, _ = run.communicate(timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
            return False, f"no end in {self._limit_s:g} s"
        return run.returncode == 0, said.decode(errors="replace")[-300:].strip()


@contextmanager
def ground_of(repository: Path, command: Sequence[str], limit_s: float = LIMIT_S) -> Iterator[Ground]:
    """A clone of it. The repository itself is only read."""
    with tempfile.TemporaryDirectory(prefix="benchwarmers-mining-") as folder:
        clone = Path(folder) / "code"
        git(Path(folder), "clone", "-q", "--no-checkout", "--no-hardlinks", str(repository.resolve()), str(clone))
        yield Ground(clone, command, limit_s)

"""One server's process: its output so far, and waiting until it answers."""

from __future__ import annotations

import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ENDS_S = 10


@contextmanager
def serving(
    command: Sequence[str], home: Path, answers_at: str, *, variables: Mapping[str, str], within_s: float
) -> Iterator[Path]:
    """Runs it until the block ends, entered once `answers_at` answers anything. Yields the file of its output. It has
    an empty home and none of this terminal's variables."""
    home.mkdir(parents=True, exist_ok=True)
    told = home / "output.txt"
    kept = {name: text for name, text in os.environ.items() if name in {"PATH", "LANG", "TMPDIR"}}
    with told.open("w") as output:
        process = subprocess.Popen(
            list(command),
            cwd=home,
            env={**kept, "HOME": str(home), **variables},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, answers_at, within_s, told)
            yield told
        finally:
            process.terminate()
            try:
                process.wait(ENDS_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(ENDS_S)


def _wait(process: subprocess.Popen[bytes], address: str, within_s: float, told: Path) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if process.poll() is not None:
            raise AssertionError(f"it ended with {process.returncode}:\n{told.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"no answer from {address} in {within_s:g} s:\n{told.read_text()[-3000:]}")

"""Pins the requirements (`make lock`), and records in each lock the digest of the wishes it was made from.

A test compares that digest, so a changed `.in` file without a new lock is noticed whatever the files' times say.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# A lock, and the files whose wishes it fulfils; the first is the one that is compiled.
LOCKS = {
    "requirements.txt": ("requirements.in",),
    "requirements-dev.txt": ("requirements-dev.in", "requirements.in"),
}


def digest(sources: tuple[str, ...]) -> str:
    """SHA-256 over the wishes, comments and blank lines left out, as hex."""
    lines = [line.split(" #")[0].strip() for name in sources for line in (ROOT / name).read_text().splitlines()]
    return hashlib.sha256("\n".join(line for line in lines if line and line[0] != "#").encode()).hexdigest()


def head(sources: tuple[str, ...]) -> str:
    """The first line of a lock made from these files."""
    return f"# Made by `make lock` from {' and '.join(sources)}; digest of the wishes: {digest(sources)}\n"


def main() -> int:
    """Compile both locks; versions stay unless the wishes ask for others."""
    for lock, sources in LOCKS.items():
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
        subprocess.run(  # our own command line
            [sys.executable, "-m", *command, "--no-header", sources[0], "-o", lock], cwd=ROOT, check=True
        )
        path = ROOT / lock
        path.write_text(head(sources) + path.read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())

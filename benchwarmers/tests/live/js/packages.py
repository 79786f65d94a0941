"""Installs the JavaScript libraries that the scripts here use, once for each state of a lock. The scripts of
`make test-mcp` have a lock of their own, in `inspector`.

They go to `.node/<digest of the lock>` at the root of the project, which git ignores. Their own install scripts
are not run. `python -m benchwarmers.tests.live.js.packages` installs and says where.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[3] / ".node"
OLDEST = 18
_UNREACHABLE = re.compile(r"\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b")


class Unavailable(Exception):
    """This machine cannot run the libraries; the message says what it lacks."""


def installed(what: Path = HERE) -> Path:
    """The `node_modules` folder of the lock in this folder as it stands, installed when it is not there yet.

    Raises Unavailable without Node, npm or a way to the packages, RuntimeError when npm does not accept the lock.
    """
    check_node()
    digest = hashlib.sha256((what / "package-lock.json").read_bytes()).hexdigest()[:16]
    folder = CACHE / digest
    if not (folder / "node_modules").is_dir():
        _install(what, folder)
    return folder / "node_modules"


def check_node() -> None:
    """Raises Unavailable when Node is missing or too old, or when npm is missing."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Unavailable("there is no node or no npm here (Debian: apt install nodejs npm)")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST:
        raise Unavailable(f"node {version} is too old; the libraries need {OLDEST} or newer")


def _install(what: Path, folder: Path) -> None:
    """Installs beside the place and moves at the end, so that a broken attempt is never taken for a whole one."""
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="unfinished-") as name:
        attempt = Path(name) / "packages"
        attempt.mkdir()
        for file in ("package.json", "package-lock.json"):
            shutil.copy(what / file, attempt)
        words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(
            words, cwd=attempt, env={**os.environ, "CI": "true"}, capture_output=True, text=True, timeout=240
        )
        if done.returncode != 0:
            told = (done.stdout + done.stderr)[-2000:]
            if _UNREACHABLE.search(told):
                raise Unavailable(f"npm could not fetch the libraries: {told}")
            raise RuntimeError(f"npm ci failed with {done.returncode}: {told}")
        try:
            attempt.rename(folder)
        except OSError:
            if not (folder / "node_modules").is_dir():  # another process was quicker
                raise


if __name__ == "__main__":
    try:
        print(installed())
    except Unavailable as lack:
        sys.exit(str(lack))

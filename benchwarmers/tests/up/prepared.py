"""A database that is migrated already, for installations of tests that are about something else than the first start.

Migrating an empty one takes seven seconds of processor time. One is made for all workers of a run, in the folder that
pytest gives the run, and copied.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchwarmers.tests.up.running import ROOT, environment, free_port

DATABASE: Final = "benchwarmers.sqlite3"


def prepare(home: Path) -> None:
    """Put the database into this data folder, unless it has one, or is no folder of a run of pytest."""
    run = next((folder for folder in home.parents if folder.parent.name.startswith("pytest-of-")), None)
    if run is not None and not (home / DATABASE).exists():
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copy(_migrated(run / "prepared"), home / DATABASE)


def _migrated(folder: Path) -> Path:
    """The database of the run; whoever comes first makes it."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / "made"
        if not made.exists():
            _migrate(folder)
            made.touch()
    return folder / DATABASE


def _migrate(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=environment(folder, free_port(), measured=False),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (folder / f"{DATABASE}-wal").exists(), "the last connection puts everything into the file"

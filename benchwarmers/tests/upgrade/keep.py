"""Keeps the schema of this version with a few rows in every table, for later versions to be upgraded from.

`python -m benchwarmers.tests.upgrade.keep`, at a release: writes `released/<version>.sql.gz`, the SQL of a SQLite
database. It is never made anew for a version that is out.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "released"


def dump(path: Path) -> str:
    """The SQL that makes this database again."""
    with closing(sqlite3.connect(path)) as opened:
        return "\n".join(opened.iterdump()) + "\n"


def made(kept: Path, at: Path) -> None:
    """Make the database that was kept, in a new file."""
    with closing(sqlite3.connect(at)) as opened:
        opened.executescript(gzip.decompress(kept.read_bytes()).decode("utf-8"))
        opened.execute("PRAGMA journal_mode=WAL")


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.tests.settings"
    import django

    django.setup()
    from benchwarmers.tests.upgrade.little import fill
    from benchwarmers.version import version
    from collections_app.stamp import use_stamp
    from gateway.engine.redirect import redirected
    from gateway.tests.engine.databases import migrate

    use_stamp(lambda: False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept.sqlite3"
        with redirected(NAME=path):
            migrate()
            fill()
        FOLDER.mkdir(exist_ok=True)
        kept = FOLDER / f"{version().number}.sql.gz"
        kept.write_bytes(gzip.compress(dump(path).encode("utf-8"), 9, mtime=0))
    sys.stdout.write(f"{kept.name}: {kept.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()

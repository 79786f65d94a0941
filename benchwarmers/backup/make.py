"""Makes an archive of the default database, which may be in use."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from benchwarmers.backup.archive import Say, Writer
from benchwarmers.backup.draft import drafted
from benchwarmers.backup.keys import fingerprint, key_files, keys_here
from benchwarmers.backup.manifest import FORMAT, Manifest
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.snapshot import applied_in, rows_of, snapshot
from benchwarmers.backup.tables import LEFT_OUT, shapes_at
from benchwarmers.env import Environment
from benchwarmers.version import version

STAMP: Final = "%Y%m%d-%H%M%S"
PATTERN: Final = "benchwarmers-*.zip"
"""Files that are named by `name_of`."""


def name_of(now: datetime) -> str:
    """What an archive of this moment is called where nobody gave it a name."""
    return f"benchwarmers-{now:{STAMP}}.zip"


def back_up(
    path: Path, bench: Environment, now: datetime, *, with_keys: bool = False, say: Say = lambda table, rows: None
) -> Manifest:
    """Write everything but sessions into `path`, which must not be there yet; what the archive says of itself.

    :raises Refused: the database cannot be read, has nothing, or is newer than this program, or the file cannot be
        written. No file is left then.
    """
    keys = key_files(bench) if with_keys else {}
    with snapshot() as view, drafted(path) as file:
        applied = applied_in(view)
        if not applied:
            raise Refused("There is nothing to back up: the database has no tables yet.")
        writer = Writer(file)
        told = [writer.table(shape, rows_of(view, shape), view.sequence(shape), say) for shape in shapes_at(applied)]
        writer.keys(keys)
        manifest = Manifest(
            format=FORMAT,
            program=version().number,
            made=now.isoformat(timespec="seconds"),
            database=view.vendor,
            migrations=applied,
            tables=tuple(told),
            keys=tuple(fingerprint(key) for key in keys_here(bench)),
            has_keys=bool(keys),
            left_out=tuple(sorted(LEFT_OUT)),
        )
        writer.finish(manifest)
    return manifest

"""The backup before an upgrade: SQLite is kept as it was, for migrations only go forward."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from django.db import connection

from benchwarmers.backup.make import STAMP, back_up
from benchwarmers.backup.nightly import prune
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.snapshot import applied_in, snapshot
from benchwarmers.env import Environment

FOLDER: Final = "backups"
KEEP: Final = 3
NAME: Final = "before-upgrade-"


def keep_before_upgrade(bench: Environment, now: datetime) -> Path | None:
    """Where everything was kept, in the data folder; None where there is nothing to keep, on Postgres, and where the
    environment says that nobody wants it.

    :raises Refused: it could not be kept. The sentence says how to go on without.
    """
    if not bench.backups.before_upgrade or connection.vendor != "sqlite" or not _has_tables():
        return None
    folder = bench.home / FOLDER
    path = folder / f"{NAME}{now:{STAMP}}.zip"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        back_up(path, bench, now)
    except OSError as error:
        raise Refused(_without(f"The folder {folder} cannot be used: {error.strerror}.")) from None
    except Refused as refusal:
        raise Refused(_without(str(refusal))) from None
    prune(folder, KEEP, f"{NAME}*.zip")
    return path


def _has_tables() -> bool:
    if not Path(connection.settings_dict["NAME"]).is_file():
        return False
    with snapshot() as view:
        return bool(applied_in(view))


def _without(sentence: str) -> str:
    return (
        f"No backup could be made before the upgrade. {sentence} BENCHWARMERS_UPGRADE_BACKUP=off upgrades without one."
    )

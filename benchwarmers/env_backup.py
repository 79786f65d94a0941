"""Reads from the environment where backups go by themselves and how many are kept.

Standard library only, like `env`, which calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwarmers import env_values as value
from benchwarmers.env_values import BadSetting

MOST = 10_000


@dataclass(frozen=True, slots=True)
class Backups:
    """`folder` gets one every day, of which the newest `keep` stay; without one there are none. `before_upgrade` makes
    one before a SQLite database is migrated."""

    folder: Path | None = None
    keep: int = 7
    before_upgrade: bool = True


def read_backups(env: Mapping[str, str]) -> Backups:
    """What the variables say.

    :raises BadSetting: a folder that is relative, or a number that is none.
    """
    folder = Path(env["BENCHWARMERS_BACKUP_FOLDER"]).expanduser() if "BENCHWARMERS_BACKUP_FOLDER" in env else None
    if folder is not None and not folder.is_absolute():
        raise BadSetting(f"BENCHWARMERS_BACKUP_FOLDER is {str(folder)!r}; give the whole path of a folder, from / on.")
    keep = env.get("BENCHWARMERS_BACKUP_KEEP", "7")
    if not (keep.isascii() and keep.isdigit() and 1 <= int(keep) <= MOST):
        raise BadSetting(f"BENCHWARMERS_BACKUP_KEEP is {keep!r}; it must be a number from 1 to {MOST}.")
    return Backups(folder, int(keep), value.switch(env.get("BENCHWARMERS_UPGRADE_BACKUP") or "on"))

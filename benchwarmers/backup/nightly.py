"""The backup that is made by itself: a job, once a day where the environment names a folder, told when it fails."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from benchwarmers.backup.draft import remove_left
from benchwarmers.backup.make import PATTERN, back_up, name_of
from benchwarmers.backup.refused import Refused
from collections_app.actions.alert import Raised, clear_alert, raise_alert
from gateway.canon.kinds import AlertKind, JobState
from probes.jobs.store import enqueue
from probes.jobs.work import Ending, JobAtWork
from probes.models import Job

KIND: Final = "backup"
RAISER: Final = "backup"
EVERY: Final = timedelta(hours=23)
"""A little less than a day: it is asked for every hour, at the same minute."""


def ask_for_backup(now: datetime) -> bool:
    """Ask for one if there is a folder for it and the last that worked is a day old; whether one was asked for."""
    if settings.BENCH.backups.folder is None:
        if Job.objects.filter(kind=KIND).exists():
            clear_alert(RAISER, KIND)  # whoever took the folder away wants none any more
        return False
    if Job.objects.filter(kind=KIND, state=JobState.DONE, ended_at__gt=now - EVERY).exists():
        return False
    return enqueue(KIND, KIND, now=now, by=RAISER) is not None


def work(at_work: JobAtWork) -> Ending:
    """Make one and remove what is more than is kept."""
    backups, now = settings.BENCH.backups, at_work.clock()
    if backups.folder is None:
        return Ending(JobState.SKIPPED, "this machine has no BENCHWARMERS_BACKUP_FOLDER")
    path = backups.folder / name_of(now)
    try:
        _make(backups.folder)
        manifest = back_up(path, settings.BENCH, now, say=lambda table, rows: at_work.check())
    except Refused as refusal:
        raise_alert(RAISER, Raised(KIND, AlertKind.BACKUP, f"There is no backup of today: {refusal}"), now)
        return Ending(JobState.FAILED, str(refusal))
    clear_alert(RAISER, KIND)
    gone = prune(backups.folder, backups.keep)
    at_work.say(f"{path} has {manifest.rows} rows, {path.stat().st_size / 1e6:.1f} MB")
    return Ending(note=f"{path.name}" + (f", and {gone} old ones removed" if gone else ""))


def prune(folder: Path, keep: int, pattern: str = PATTERN) -> int:
    """Remove all backups of this pattern but the newest, which their names tell; how many went."""
    old = sorted(folder.glob(pattern))[:-keep]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_left(folder, PATTERN)
    except OSError as error:
        raise Refused(f"The folder {folder} cannot be used: {error.strerror}.") from None

"""Takes a whole folder over, or rehearses it: one transaction, and a report either way."""

from __future__ import annotations

from pathlib import Path

from django.contrib.auth.models import User

from collections_app.journal import journal, rehearse
from probes.original.around import take_what_stands_around
from probes.original.catalogue import take_catalogue
from probes.original.folder import NoFolder, read_folder
from probes.original.history import take_history
from probes.original.report import Report

TOPIC = "models"


def take_over(path: Path, *, owner: User | None, dry_run: bool) -> Report:
    """What was taken over, or would be.

    :raises NoFolder: it is no data folder, or a document in it is damaged or of another form; nothing was written.
    """
    folder = read_folder(path)
    report = Report()

    def take() -> None:
        with journal(None, TOPIC, by="import"):
            take_catalogue(folder, report)
            take_what_stands_around(folder, report, owner)
            take_history(folder, report)

    try:
        rehearse(take) if dry_run else take()
    except (AttributeError, TypeError) as odd:  # a value is no object, list or text where the original writes one
        raise NoFolder(f"A document has a form that the original does not write ({odd}); nothing was taken.") from odd
    report.advice += folder.problems
    return report

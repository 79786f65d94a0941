"""`manage.py load_suite FOLDER`: take tasks in from folders, or the pack that comes with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.folders import BadTask, read_tasks
from suite.store import keep_task

STARTER = Path(__file__).resolve().parents[2] / "starter"


class Command(BaseCommand):
    help = (
        "Take tasks in from a folder of folders with task.json. Without a folder, the starter pack. A task that is "
        "there gets a new version where what it asks or its key changed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=STARTER)
        parser.add_argument("--repo", action="append", default=[], metavar="NAME=FOLDER", help="where `repo` leads")
        parser.add_argument("--drafts", action="store_true", help="as drafts, whatever they say")

    def handle(self, *args: Any, **options: Any) -> None:
        pairs = [word.partition("=") for word in options["repo"]]
        repos = {name: Path(folder) for name, _, folder in pairs}
        if not options["folder"].is_dir():
            raise CommandError(f"{options['folder']} is no folder.")
        try:
            tasks = list(read_tasks(options["folder"], repos))
        except BadTask as problem:
            raise CommandError(str(problem)) from None
        now, changed = timezone.now(), 0
        for draft, waits in tasks:
            _, new = keep_task(draft, by="load_suite", now=now, reviewed=not (waits or options["drafts"]))
            changed += new
        self.stdout.write(f"{len(tasks)} tasks, {changed} of them new or changed")

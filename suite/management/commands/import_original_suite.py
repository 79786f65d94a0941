"""`manage.py import_original_suite FOLDER`: take over the suite of the original Benchwarmers, tasks and answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.original import NoSuite, take_suite


class Command(BaseCommand):
    help = (
        "Take over the tasks of the original and the answers saved beside them, scored. Take over its models first "
        "(import_original). What is here already stays as it is; a second run adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="what BENCHWARMERS_HOME named for the original, or suite/tasks")
        parser.add_argument("--repo", action="append", default=[], metavar="NAME=FOLDER", help="where `repo` leads")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *args: Any, **options: Any) -> None:
        pairs = [word.partition("=") for word in options["repo"]]
        if odd := [name for name, _, folder in pairs if not name or not folder]:
            raise CommandError(f"{odd[0] or '--repo'}: write it as NAME=FOLDER.")
        repos = {name: Path(folder) for name, _, folder in pairs}
        try:
            report = take_suite(options["folder"], repos, now=timezone.now(), dry_run=options["dry_run"])
        except NoSuite as problem:
            raise CommandError(str(problem)) from None
        for line in report.lines():
            self.stdout.write(line)
        self.stdout.write("Nothing was written." if options["dry_run"] else "Done.")

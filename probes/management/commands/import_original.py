"""`manage.py import_original FOLDER`: move in from the original Benchwarmers, whose data folder this is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from probes.original.folder import NoFolder
from probes.original.take import take_over


class Command(BaseCommand):
    help = (
        "Take over endpoints, models, collections, keys, verdicts, panels, the ledger and measurements from the data "
        "folder of the original. What is here already stays as it is; a second run adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="what BENCHWARMERS_HOME named for the original")
        parser.add_argument("--owner", metavar="USERNAME", help="who owns the gateway keys; the first admin by default")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = self._owner(options["owner"])
        try:
            report = take_over(options["folder"], owner=owner, dry_run=options["dry_run"])
        except NoFolder as problem:
            raise CommandError(str(problem)) from None
        for line in report.lines():
            self.stdout.write(line)
        self.stdout.write("Nothing was written." if options["dry_run"] else "Done.")

    def _owner(self, name: str | None) -> User | None:
        if name is None:
            return User.objects.filter(groups__name="admin", is_active=True).order_by("id").first()
        owner = User.objects.filter(username=name, is_active=True).first()
        if owner is None:
            raise CommandError(f"There is nobody called {name}.")
        return owner

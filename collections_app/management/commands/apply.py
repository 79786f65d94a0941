"""`manage.py apply FILE`: make the installation equal to a set-up file.

Makes the data folder and the tables first when they are missing or behind, so that it can be the very first command.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from collections_app.refusal import Refused
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.read import Mistaken


class Command(BaseCommand):
    help = "Make the installation equal to a set-up file (TOML). A second time changes nothing."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="The set-up file; - reads standard input.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done and do nothing.")
        parser.add_argument("--prune", action="store_true", help="Remove what the file does not name.")

    def handle(self, *args: Any, **options: Any) -> None:
        name: str = options["file"]
        text = _read(name)
        _ready_database()
        try:
            outcome = apply_setup(
                text, actor=None, environ=os.environ, dry_run=options["dry_run"], prune=options["prune"]
            )
        except Mistaken as mistaken:
            lines = [f"{name}:{mistake.line}: {mistake.sentence}" for mistake in mistaken.mistakes]
            raise CommandError("\n".join([*lines, "Nothing was changed."])) from None
        except Refused as refusal:
            raise CommandError(f"{refusal}\nNothing was changed.") from None
        self._tell(outcome, dry_run=options["dry_run"])

    def _tell(self, outcome: Outcome, *, dry_run: bool) -> None:
        for verb in ("added", "changed", "removed"):
            for section, name in getattr(outcome, verb):
                self.stdout.write(f"{verb:8}{section:11} {name}")
        for note in outcome.notes:
            self.stdout.write(note)
        counts = [f"{verb} {len(getattr(outcome, verb))}" for verb in ("added", "changed", "left", "removed")]
        self.stdout.write(", ".join(counts) + (" (dry run: nothing was written)" if dry_run else ""))


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from None


def _ready_database() -> None:
    Path(settings.BENCH.home).mkdir(parents=True, exist_ok=True, mode=0o700)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)

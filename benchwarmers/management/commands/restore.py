"""`manage.py restore FILE`: makes the database be what a backup has. See `benchwarmers.backup`."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from benchwarmers.backup.refused import Refused
from benchwarmers.backup.restore import check, restore
from benchwarmers.backup.terminal import ending_well, progress
from benchwarmers.env_values import BadSetting
from benchwarmers.folder import hold_home, make_home, make_secrets


class Command(BaseCommand):
    help = "Make the database be what a backup has, on either kind of database, all of it or nothing."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what manage.py backup wrote")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="though there is a database already, which is kept beside the new one",
        )
        parser.add_argument(
            "--without-keys", action="store_true", help="though no key here opens some of what is sealed in it"
        )
        parser.add_argument(
            "--check", action="store_true", help="only read the file from end to end, and say what it has"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with ending_well(), progress(self.stderr) as say:
                said = self._check(options["file"], say) if options["check"] else self._restore(options, say)
        except (Refused, BadSetting) as refusal:
            raise CommandError(str(refusal)) from None
        for sentence in said:
            self.stdout.write(sentence)

    def _check(self, path: Path, say: Any) -> list[str]:
        manifest = check(path, say)
        keys = "with the keys" if manifest.has_keys else f"without keys (fingerprint {', '.join(manifest.keys)})"
        return [
            f"{path} is whole: {manifest.rows} rows of {len(manifest.tables)} tables, as they were at {manifest.made} "
            f"on {manifest.database}, version {manifest.program}, {keys}."
        ]

    def _restore(self, options: dict[str, Any], say: Any) -> list[str]:
        make_home(settings.BENCH.home)
        lock = hold_home(settings.BENCH.home)  # no `up` begins meanwhile
        try:
            said = restore(
                options["file"],
                settings.BENCH,
                timezone.now(),
                replace=options["replace"],
                without_keys=options["without_keys"],
                say=say,
            )
        finally:
            os.close(lock)
        make_secrets(settings.BENCH)  # those that neither the archive nor the environment brought
        return said

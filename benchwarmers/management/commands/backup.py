"""`manage.py backup FILE`: everything into one file, while the server works. See `benchwarmers.backup`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from benchwarmers.backup.make import back_up, name_of
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.terminal import ending_well, progress


class Command(BaseCommand):
    help = "Back up the database into one file, while the server works. Stored secrets stay sealed in it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a new file, or a folder for one named by the time")
        parser.add_argument(
            "--with-keys",
            action="store_true",
            help="put the keys into it as well: whoever has the file can then read every stored secret",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, path = timezone.now(), options["file"]
        path = path / name_of(now) if path.is_dir() else path
        try:
            with ending_well(), progress(self.stderr) as say:
                manifest = back_up(path, settings.BENCH, now, with_keys=options["with_keys"], say=say)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        size = path.stat().st_size / 1e6
        self.stdout.write(f"{manifest.rows} rows of {len(manifest.tables)} tables are in {path} ({size:.1f} MB).")
        if manifest.has_keys:
            self.stdout.write("The keys are in it too: keep it as you would keep those.")
        else:
            keys = ", ".join(manifest.keys) or "none"
            self.stdout.write(f"The keys are not in it; keep them elsewhere. Fingerprint of the vault's: {keys}.")

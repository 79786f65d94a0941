"""`manage.py rotate_vault`: seal every stored secret with the newest key. The server may run; a run that was killed is
finished by the next."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from collections_app.vault import VaultLocked
from collections_app.vault_rotation import rotate


class Command(BaseCommand):
    help = "Seal every stored secret with the newest vault key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--new-key",
            action="store_true",
            help="First put a fresh key in front of the key file; not with keys from the environment.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = rotate(new_key=options["new_key"])
        except (VaultLocked, ValueError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{count} secrets sealed with the newest key")

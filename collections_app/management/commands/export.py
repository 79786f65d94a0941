"""`manage.py export > FILE`: write the present state as a set-up file."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from collections_app.setup_file.export import export_setup


class Command(BaseCommand):
    help = "Write the present state as a set-up file (TOML), without any secret."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(export_setup(), ending="")

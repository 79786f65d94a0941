"""`manage.py rebuild_standings`: make the standings anew from the evidence. Harmless at any time."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from collections_app.announce import announce
from collections_app.standings_store import rebuild_standings


class Command(BaseCommand):
    help = "Make the standings of all models anew from their evidence."

    def handle(self, *args: Any, **options: Any) -> None:
        count = rebuild_standings()
        announce("standings")
        self.stdout.write(f"the standings of {count} models rebuilt")

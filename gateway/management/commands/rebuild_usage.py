"""`manage.py rebuild_usage`: make the sums of usage anew from the ledger. Harmless at any time."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from gateway.engine.usage_store import rebuild_usage


class Command(BaseCommand):
    help = "Make the sums of usage anew for every day that the ledger still holds; older sums stay."

    def handle(self, *args: Any, **options: Any) -> None:
        days = rebuild_usage()
        self.stdout.write(f"the sums of {days} days rebuilt" if days else "the ledger is empty; nothing was changed")

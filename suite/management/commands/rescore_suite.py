"""`manage.py rescore_suite`: score every stored answer anew. Harmless at any time."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from suite.rescoring import rescore


class Command(BaseCommand):
    help = "Score every stored answer anew, by today's scorer and the key of the version that was answered."

    def handle(self, *args: Any, **options: Any) -> None:
        done = rescore()
        self.stdout.write(f"{done} answers scored anew" if done else "there are no answers yet")

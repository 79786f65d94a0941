"""`manage.py practice on|off`: brings the scripted practice squad in, or sends it home."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from collections_app.actions.practice import do_practice_off, do_practice_on
from collections_app.refusal import Refused


class Command(BaseCommand):
    """Calls the same actions as the admin."""

    help = "Bring in or remove the practice squad: scripted answers for trying things out, not models."

    def add_arguments(self, parser: CommandParser) -> None:
        """One word."""
        parser.add_argument("state", choices=["on", "off"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and say so."""
        try:
            if options["state"] == "on":
                do_practice_on(actor=None)
                self.stdout.write("The practice squad answers as bench/practice.")
            else:
                do_practice_off(actor=None)
                self.stdout.write("The practice squad is gone. Its panels stay readable.")
        except Refused as refused:
            raise CommandError(str(refused)) from refused

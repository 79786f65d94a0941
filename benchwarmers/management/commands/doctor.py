"""`manage.py doctor`: prints what `benchwarmers.doctor` finds; exit 1 when something is wrong."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from benchwarmers.doctor import run_looks


class Command(BaseCommand):
    """Look at this installation."""

    help = "Check this installation and say what is wrong with it and what to do."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Print every finding, and end with 1 when one is bad."""
        bad = 0
        for finding in run_looks(settings.BENCH):
            bad += not finding.is_well
            self.stdout.write(f"{'well ' if finding.is_well else 'WRONG'}  {finding.text}")
        self.stdout.write("All is well." if not bad else f"{bad} of these need you.")
        if bad:
            sys.exit(1)

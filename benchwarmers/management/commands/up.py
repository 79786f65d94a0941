"""`manage.py up`: becomes the supervisor. Decides nothing; see `benchwarmers.up`."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Run everything on this machine until stopped."""

    help = "Run Valkey, web, worker and beat together, and keep them running."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Replace this process, which holds all of Django, by the small one that only supervises."""
        os.chdir(settings.BASE_DIR)
        environment = os.environ | {"BENCHWARMERS_HOME": str(settings.BENCH.home)}
        command = [sys.executable, "-m", "benchwarmers.up"]
        os.execve(sys.executable, command, environment)  # noqa: S606 our own module

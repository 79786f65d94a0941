"""`manage.py init`: prepares the data folder and the database. Safe to repeat; see `benchwarmers.first_start`."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from benchwarmers.backup.refused import Refused
from benchwarmers.backup.upgrade import keep_before_upgrade
from benchwarmers.env_values import BadSetting
from benchwarmers.first_start import do_first_start
from benchwarmers.folder import make_home, make_secrets
from benchwarmers.pending import load_pending


class Command(BaseCommand):
    """Make secrets, migrate, make the first owner, and print how to sign in."""

    help = "Prepare the data folder and the database; prints a sign-in link until the owner has used one."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Make the secrets first; this process was set up without them, so it starts over once they exist."""
        try:
            make_home(settings.BENCH.home)
        except BadSetting as refusal:
            sys.exit(f"benchwarmers: {refusal}")
        if make_secrets(settings.BENCH):
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 the same command again
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate when something is pending; progress goes to stderr, what people need to stdout."""
        if pending := load_pending():
            try:
                kept = keep_before_upgrade(settings.BENCH, timezone.now())
            except Refused as refusal:
                raise CommandError(str(refusal)) from None
            if kept is not None:
                self.stderr.write(f"Everything as it was is kept in {kept}.")
            self.stderr.write(f"Applying {len(pending)} migrations.")
            call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        self.stdout.write(do_first_start(settings.BENCH), ending="")

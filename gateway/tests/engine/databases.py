"""Tables for a database that a test has made."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connections


def migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    connections["default"].close()

"""Tells which model servers run at their usual ports, and whose keys the environment holds. Adds nothing."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

from probes.detect import find_runtimes, keys_at_hand


class Command(BaseCommand):
    """`manage.py detect`"""

    help = "Tell which model servers run here, and whose keys the environment holds. Adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        runtimes, keys = find_runtimes(), keys_at_hand(os.environ)
        for runtime in runtimes:
            self.stdout.write(f"{runtime.label}: {runtime.models} models at {runtime.base} (api {runtime.api})")
        for key in keys:
            self.stdout.write(f"{key.preset.label}: a key in {key.variable}, for {key.preset.base}")
        if not runtimes and not keys:
            self.stdout.write("Nothing new was found. Add an endpoint on the page Endpoints, or in a set-up file.")

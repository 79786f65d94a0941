"""Writes the reference pages anew, out of the code and a database made for that in a folder of its own."""

from __future__ import annotations

import os
import sys

import django
from django.core.management import call_command

from benchwarmers.tests.house.tree import ROOT


def main() -> int:
    """Write every page that is not on disk as it would be made; tell which."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.tests.settings"
    django.setup()
    call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    from benchwarmers.tests.house.reference.pages import PAGES  # once Django is set up

    for place, write in PAGES.items():
        path, text = ROOT / place, write()
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"wrote {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

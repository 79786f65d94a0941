"""Takes turns in a running installation, one for each line it reads: `CONVERSATION ALIAS`. Prints the moment at which
each was committed (seconds since 1970), and tells the pages then, as the engine does.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os
import sys
import time


def tick(talk: str, alias: str) -> None:
    """One turn more."""
    from django.utils import timezone

    from benchwarmers.tests.pages.play import tell
    from benchwarmers.tests.pages.talks import Took, add_turn

    add_turn(talk, Took(alias), timezone.now())
    committed_at = time.time()
    tell("conversations", f"conversation:{talk}")
    sys.stdout.write(f"{committed_at}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    for line in sys.stdin:
        tick(*line.split())

"""Runs the product under load and faults, and prints what became of it:

    python -m benchwarmers.tests.chaos [--seconds 600] [--seed 1] [--once] [--callers 24] [--json FILE] [--keep FOLDER]

Loopback only; needs the dev dependencies. Ends with 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.tests.settings")
django.setup()

from benchwarmers.tests.chaos.place import running  # noqa: E402 the formats' requests need the apps
from benchwarmers.tests.chaos.report import as_document, as_table  # noqa: E402
from benchwarmers.tests.chaos.run import CALLERS, run  # noqa: E402
from benchwarmers.tests.chaos.schedule import every_kind_once, plan_faults  # noqa: E402


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=600.0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--once", action="store_true", help="every kind of fault once, as `make test` does")
    arguments.add_argument("--callers", type=int, default=CALLERS, help="how many are busy at a time")
    arguments.add_argument("--slack", type=float, default=1.0, help="how many times slower this machine may be")
    arguments.add_argument("--json", type=Path, help="also write the figures there")
    arguments.add_argument("--keep", type=Path, help="the folder to work in, kept afterwards")
    chosen = arguments.parse_args()
    with contextlib.ExitStack() as stack:
        if chosen.keep is not None:
            chosen.keep.mkdir(parents=True)
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-chaos-")))
        place = stack.enter_context(running(folder))
        plan = every_kind_once(chosen.seed) if chosen.once else plan_faults(chosen.seed, (1.0, 6.0))
        found = asyncio.run(run(place, plan, chosen.seed, chosen.seconds, chosen.slack, chosen.callers))
    sys.stdout.write(as_table(found) + "\n")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(as_document(found), indent=1))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Fill a database, or fill both and measure every page; see the package."""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path


def main() -> None:
    arguments = ArgumentParser(prog="python -m benchwarmers.tests.performance.big", description=__doc__)
    arguments.add_argument("what", choices=("seed", "measure", "paint", "growth"))
    arguments.add_argument(
        "--size", choices=("small", "full", "grown"), default="full", help="a fiftieth, or ten times"
    )
    arguments.add_argument("--folder", type=Path, help="where databases are kept between runs; else they are removed")
    arguments.add_argument("--store", choices=("sqlite", "postgres"), help="only this database")
    arguments.add_argument("--only", default="", help="only pages with this in their route or address")
    arguments.add_argument("--json", type=Path, help="where all figures go")
    arguments.add_argument("--plans", type=int, default=0, help="print that many of each page's slowest queries")
    chosen = arguments.parse_args()
    settings = "benchwarmers.settings" if chosen.what == "seed" else "benchwarmers.tests.settings"
    os.environ["DJANGO_SETTINGS_MODULE"] = settings
    import django

    django.setup()
    if chosen.what == "seed":
        _seed(chosen.size)
        return
    act = {"measure": _measure, "paint": _paint, "growth": _growth}[chosen.what]
    if chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        act(chosen, chosen.folder)
    else:
        with tempfile.TemporaryDirectory(prefix="big-") as folder:
            act(chosen, Path(folder))


def _seed(size: str) -> None:
    from django.utils import timezone

    from benchwarmers.tests.performance.big.amounts import FULL, GROWN, SMALL
    from benchwarmers.tests.performance.big.seed import seed, settle

    seed({"small": SMALL, "full": FULL, "grown": GROWN}[size], timezone.now(), _say)
    settle(_say)


def _measure(chosen: Namespace, folder: Path) -> None:
    from benchwarmers.tests.performance.big.measure import measure
    from benchwarmers.tests.performance.big.report import print_plans, report
    from benchwarmers.tests.performance.big.stores import KINDS, store

    found = {}
    for kind in [chosen.store] if chosen.store else KINDS:
        with store(kind, folder) as fresh:
            if fresh:
                _say(f"filling {kind}")
                _seed(chosen.size)
            found[kind] = list(measure(only=chosen.only))
    report(found, chosen.json)
    print_plans(found, chosen.plans)


def _paint(chosen: Namespace, folder: Path) -> None:
    from benchwarmers.tests.performance.big.paint import PATHS, paint
    from benchwarmers.tests.performance.big.stores import store

    with store("sqlite", folder) as fresh:
        if fresh:
            _say("filling sqlite")
            _seed(chosen.size)
    paint(folder, tuple(path for path in PATHS if chosen.only in path))


def _growth(chosen: Namespace, folder: Path) -> None:
    from benchwarmers.tests.performance.big.growth import growth
    from benchwarmers.tests.performance.big.stores import store

    with store("postgres", folder) as fresh:
        if fresh:
            _seed(chosen.size)
        growth(folder, chosen.only, chosen.json, _say)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

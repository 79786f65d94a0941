"""`make suite-demo`: the suite from an installed package to a table and a picture, with the practice squad in place of
models. All of it happens in a folder that is thrown away, and nothing leaves this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import django

from suite.demo_home import ROOT, NotReady, installation

PICTURE: Final = ROOT / "docs" / "images" / "suite-demo.svg"
SQUAD: Final = ("thinker", "slow", "terse", "flaky", "wrong")
PACKAGE: Final = "django"
PAIRS: Final = 12
SEED: Final = 9


def main(words: Sequence[str]) -> int:
    """Runs the demonstration; its exit code."""
    parser = argparse.ArgumentParser(prog="suite.demo", description="Run the practice squad through the suite.")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="changes to plant, each with its control")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="where the heat map is drawn")
    said = parser.parse_args(words)
    try:
        with tempfile.TemporaryDirectory(prefix="suite-demo-") as folder, installation(Path(folder)) as port:
            file = Path(folder) / "squad.toml"
            file.write_text(set_up(port), encoding="utf-8")
            # Settings are read once, so Django is set up here, where they are the new installation's.
            os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.settings"
            django.setup()
            from suite.demo_pass import run

            run(file, SQUAD, package=PACKAGE, pairs=said.pairs, seed=SEED, to=said.picture)
    except NotReady as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def set_up(port: int) -> str:
    """A set-up file: each of the squad on an endpoint of its own, so that they are asked side by side."""
    base = json.dumps(f"http://127.0.0.1:{port}/practice/v1")
    return "".join(
        f'[[endpoint]]\nname = "squad-{name}"\nbase = {base}\nkind = "local"\n'
        f'[[model]]\nalias = "{name}"\nserved = "{name}"\nendpoint = "squad-{name}"\n'
        for name in SQUAD
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

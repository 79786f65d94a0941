"""Measures the slopes of docs/scaling.md, and adds them up.

    python -m bench.scale measure [--rounds 5] [--seconds 4] [--share 0.1] [--json FILE]
    python -m bench.scale model [--figures FILE]

Needs root on Linux for the shares of a core. Starts Postgres, Valkey and a fake provider of its own; loopback only.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.report import about
from bench.scale.carry import carry
from bench.scale.hold import hold
from bench.scale.model import FIGURES, told
from bench.scale.write import write
from bench.targets import upstream

PARTS = ("carry", "hold", "many", "write")


def main(words: list[str]) -> int:
    """Do what is asked for; its exit code."""
    parser = ArgumentParser("python -m bench.scale", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "model"))
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="of `measure`; all when none is named")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--share", type=float, default=0.1, help="of a core, for each web process")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="that the model is made of")
    parser.add_argument("--json", type=Path, help="where figures are kept; those of other parts stay")
    chosen = parser.parse_args(words)
    if chosen.what == "model":
        sys.stdout.write(told(json.loads(chosen.figures.read_text())))
        return 0
    figures: dict[str, Any] = json.loads(chosen.json.read_text()) if chosen.json and chosen.json.exists() else {}
    figures |= about(" ".join(("python -m bench.scale", *words)), datetime.now().astimezone())
    with tempfile.TemporaryDirectory(prefix="scale-", ignore_cleanup_errors=True) as name, upstream(Path(name)) as base:
        for part in chosen.parts or PARTS:
            folder = Path(name) / part
            folder.mkdir()
            Path(name).chmod(0o755)
            if part == "carry":
                figures[part] = carry(base, folder, rounds=chosen.rounds, seconds=chosen.seconds, share=chosen.share)
            elif part == "write":
                figures[part] = write(folder)
            elif part == "hold":
                figures[part] = hold(base, folder, webs=1, counts=[1_000, 3_000])
            else:
                figures[part] = hold(base, folder, webs=2, counts=[10_000])
            sys.stdout.write(f"{part}: {json.dumps(figures[part], indent=1)}\n")
            sys.stdout.flush()
            if chosen.json:
                chosen.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

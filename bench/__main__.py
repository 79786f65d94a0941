"""Measures what the gateway adds, prints tables in markdown and keeps the figures.

python -m bench                 everything, after which `make bench` has docs/performance.md written anew
python -m bench route panels    some parts
python -m bench quick           a turn and a stream beside the minimal relay; ends with 1 when a limit is passed
python -m bench page FILE       the document and the picture anew, from figures that were kept
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from datetime import datetime
from pathlib import Path
from typing import Any

from bench import gate, page
from bench.ground import Pace, ground
from bench.parts import PARTS
from bench.report import about, table

USUAL = Pace()


def main(words: list[str]) -> int:
    """Runs what is asked for; its exit code."""
    if words[:1] == ["quick"]:
        return gate.main(words[1:])
    if words[:1] == ["page"]:
        return page.main(words[1:])
    chosen = _read(words)
    pace = Pace(chosen.rounds, chosen.seconds, chosen.streams, chosen.evidence, chosen.ledger)
    beside = frozenset(name for name in ("original", "litellm") if getattr(chosen, name))
    figures: dict[str, Any] = about(_command(words), datetime.now().astimezone())
    with ground(beside) as on:
        for name in chosen.parts or PARTS:
            print(f"{name}: {PARTS[name].about}", file=sys.stderr, flush=True)
            figures[name] = PARTS[name].measure(on, pace)
            print(f"\n{table(PARTS[name].columns, figures[name])}\n", flush=True)
            if chosen.json:
                chosen.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    return 0


def _command(words: list[str]) -> str:
    """What was asked for, without the place of the file."""
    told = list(words)
    if "--json" in told:
        del told[told.index("--json") : told.index("--json") + 2]
    return " ".join(("python -m bench", *told))


def _read(words: list[str]) -> Namespace:
    told = "\n".join(f"  {name:9}{part.about}" for name, part in PARTS.items())
    parser = ArgumentParser(
        "python -m bench", description=__doc__, epilog=f"parts:\n{told}", formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="all of them when none is named")
    parser.add_argument("--rounds", type=int, default=USUAL.rounds)
    parser.add_argument("--seconds", type=float, default=USUAL.seconds, help="of each visit")
    parser.add_argument("--streams", type=int, default=USUAL.streams, help="that are open at once to be weighed")
    parser.add_argument("--evidence", type=int, default=USUAL.evidence, help="pieces that are filled in for `growth`")
    parser.add_argument("--ledger", type=int, default=USUAL.ledger, help="rows that are filled in for `growth`")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--original", action="store_true", help="the original 0.3.3 too (installs it)")
    parser.add_argument("--litellm", action="store_true", help="LiteLLM's proxy too (installs it, some hundred MB)")
    chosen = parser.parse_args(words)
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return chosen


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

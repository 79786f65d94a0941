"""Gives every installed agent program, or those named, the same task, and prints a table.

Exit 1 when an installed program failed, 2 when there was nothing to run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwarmers.tests.agents import installation, provider, room
from benchwarmers.tests.agents.flavour import ROUTE, Filling, Flavour, filled
from benchwarmers.tests.agents.flavours import FLAVOURS
from benchwarmers.tests.agents.programs import Installed, find_node, find_program, folder
from benchwarmers.tests.agents.table import Row, table, tally
from benchwarmers.tests.agents.task import BEFORE, NOTES, Task, judge

KEY = "sk-nothing-secret"


def chosen(wanted: list[str]) -> list[Flavour]:
    """The flavours with these names: of a client, or of a client and a flavour. All when none is named."""
    return [flavour for flavour in FLAVOURS if not wanted or {flavour.label, flavour.program.client} & set(wanted)]


def unknown(wanted: list[str]) -> list[str]:
    known = {name for flavour in FLAVOURS for name in (flavour.label, flavour.program.client)}
    return sorted(set(wanted) - known)


def ask(flavour: Flavour, program: Installed, base: str, node: Path | None, within_s: float) -> Row:
    """Run one flavour against the gateway at `base` and judge the file it leaves."""
    with tempfile.TemporaryDirectory(prefix="agent-", ignore_cleanup_errors=True) as name:
        home, work = Path(name) / "home", Path(name) / "work"
        home.mkdir()
        work.mkdir()
        notes = work / NOTES
        notes.write_text(BEFORE)
        filling = Filling(str(program.binary), base, KEY, flavour.model, str(home), Task(str(notes)).prompt)
        outcome = room.run(filled(flavour, filling), home, work, node, within_s)
        problem = judge(notes.read_text() if notes.exists() else None)
    if problem:
        ended = f"ended after {within_s:.0f} s" if outcome.late else f"exit {outcome.code}"
        problem += f" ({ended})\n    " + outcome.told[-1500:].strip().replace("\n", "\n    ")
    return Row(flavour.program.client, flavour.name, program.version, problem, outcome.seconds)


def run_all(flavours: list[Flavour], clients: Path, base: str, within_s: float) -> list[Row]:
    node = find_node(clients)
    rows = []
    for flavour in flavours:
        program = find_program(flavour.program, clients)
        row = ask(flavour, program, base, node, within_s) if program else Row(flavour.program.client, flavour.name)
        print(f"{flavour.label}: {row.result.splitlines()[0]}", file=sys.stderr, flush=True)
        rows.append(row)
    return rows


@contextmanager
def gateway(options: argparse.Namespace, flavours: list[Flavour]) -> Iterator[str]:
    """The address to ask: of a gateway that runs, of the scripted provider itself, or of a fresh installation."""
    if options.url:
        yield options.url.rstrip("/")
    elif options.direct:
        with provider.running() as address:
            yield address
    else:
        aliases = sorted({flavour.model for flavour in flavours} - {ROUTE})
        home = Path(tempfile.mkdtemp(prefix="agents-"))
        try:
            with installation.started(home, aliases, options.api or tuple(provider.BASES)) as address:
                yield address
        finally:
            shutil.rmtree(home, ignore_errors=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchwarmers.tests.agents", description=__doc__)
    parser.add_argument("names", nargs="*", help="clients, or flavours as client/flavour; all when none is named")
    parser.add_argument("--api", action="append", choices=tuple(provider.BASES), help="members of this format alone")
    parser.add_argument("--url", help="ask this gateway, which has bench/crew and the aliases already")
    parser.add_argument("--direct", action="store_true", help="no gateway: which failures are the programs' own?")
    parser.add_argument("--within", type=float, default=120.0, help="seconds for one program")
    options = parser.parse_args(words)
    if strangers := unknown(options.names):
        print(f"There is no {', '.join(strangers)}; there are {', '.join(f.label for f in FLAVOURS)}.", file=sys.stderr)
        return 2
    flavours, clients = chosen(options.names), folder()
    if not any(find_program(flavour.program, clients) for flavour in flavours):
        print(f"None of these programs is installed below {clients}; docs/agents.md says how.", file=sys.stderr)
        return 2
    with gateway(options, flavours) as base:
        rows = run_all(flavours, clients, base, options.within)
    print(f"{table(rows)}\n{tally(rows)}")
    return 1 if any(row.problem for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Asks a fresh installation with every client library, or those named, and prints a table. Exit 1 if one failed."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchwarmers.tests.clients.environments import WISHES, python_of
from benchwarmers.tests.clients.installation import started
from benchwarmers.tests.up.running import ROOT

WITHIN_S = 400
Row = tuple[str, str, str, str]


def ask(client: str, python: Path, base: str, home: Path) -> list[Row]:
    """The client's rows of the table. It runs with an empty home and none of this terminal's variables."""
    module = f"benchwarmers.tests.clients.ask_{client.replace('-', '_')}"
    kept = {name: text for name, text in os.environ.items() if name in {"PATH", "LANG", "TMPDIR"}}
    own = {"HOME": str(home), "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONWARNINGS": "ignore"}
    try:
        done = subprocess.run(
            [str(python), "-m", module, base],
            cwd=ROOT,
            env=kept | own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
        )
        code, told, complaint = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        told = (late.stdout or b"").decode()  # bytes, whatever was asked for
        code, complaint = -1, f"not done after {WITHIN_S} s"
    steps = [json.loads(line) for line in told.splitlines() if line.startswith('{"api"')]
    rows = rows_of(client, version_of(client, python), steps)
    if code != 0 or not steps:
        rows.append((client, "", "", f"FAILED: ended with {code}: {complaint[-1500:]}"))
    return rows


def rows_of(client: str, version: str, steps: list[dict[str, Any]]) -> list[Row]:
    """One row for each API; a failed step is told below it."""
    rows: list[Row] = []
    for api in dict.fromkeys(step["api"] for step in steps):
        of_api = [step for step in steps if step["api"] == api]
        failed = [f"{step['step']}: {step['error']}" for step in of_api if step["error"]]
        passed = f"{len(of_api) - len(failed)} of {len(of_api)} steps"
        rows.append((client, version, api, f"FAILED, {passed}\n    " + "\n    ".join(failed) if failed else passed))
    return rows


def version_of(client: str, python: Path) -> str:
    """The installed version of the first wish."""
    package = WISHES[client][0].split(">")[0].split("[")[0]
    site = next((python.parent.parent / "lib").glob("python*/site-packages"))
    found = importlib.metadata.distributions(name=package, path=[str(site)])
    return next((one.version for one in found), "?")


def table(rows: list[Row]) -> str:
    head: Row = ("client", "version", "API", "result")
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(3)]
    lines = [" | ".join([*(row[i].ljust(widths[i]) for i in range(3)), row[3]]) for row in (head, *rows)]
    return "\n".join(lines)


def main(wanted: list[str]) -> int:
    unknown = sorted(set(wanted) - set(WISHES))
    if unknown:
        print(f"There is no client {', '.join(unknown)}; there are {', '.join(WISHES)}.", file=sys.stderr)
        return 2
    pythons = {client: python_of(client) for client in wanted or WISHES}
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as base:
        for client, python in pythons.items():
            print(f"asking with {client} ...", file=sys.stderr, flush=True)
            rows += ask(client, python, base, Path(tempfile.mkdtemp(dir=folder)))
    print(table(rows))
    return 1 if any("FAILED" in row[3] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

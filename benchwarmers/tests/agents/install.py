"""Installs the agent programs, or those named, in the versions that their set-ups were tried with.

They go below BENCH_CLIENTS_DIR. Needs npm for most of them. Where this machine's Node is too old for one, a newer Node
is installed beside them. Exit 1 when one could not be installed, 2 for a name that nobody knows.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from benchwarmers.tests.agents.flavour import Program
from benchwarmers.tests.agents.flavours import PROGRAMS
from benchwarmers.tests.agents.programs import find_node, find_program, folder

NODE = 22
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}


def commands(program: Program, clients: Path) -> list[list[str]]:
    """What installs it."""
    wish = f"{program.package}{'==' if program.python else '@'}{program.version}"
    if not program.python:
        return [npm(wish, clients / "npm" / program.client)]
    home = clients / program.client
    pip = [str(home / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    return [[sys.executable, "-m", "venv", str(home)], [*pip, "install", wish]]


def npm(wish: str, home: Path) -> list[str]:
    # With the version named, npm does not go back to an old release that an old Node would still run.
    return ["npm", "install", "--prefix", str(home), "--no-audit", "--no-fund", "--no-progress", "--silent", wish]


def node_version(clients: Path) -> int:
    """The major version of the Node that will run the programs; 0 when there is none."""
    if (node := find_node(clients)) is None:
        return 0
    told = subprocess.run([str(node / "node"), "--version"], capture_output=True, text=True, timeout=20).stdout
    found = re.match(r"v(\d+)", told)
    return int(found[1]) if found else 0


def install(program: Program, clients: Path) -> str:
    """Install it where it is not there in this version; what went wrong, or nothing."""
    if (found := find_program(program, clients)) is not None and found.version == program.version:
        return ""
    wanted = commands(program, clients)
    if not program.python:
        if shutil.which("npm") is None:
            return "there is no npm"
        if node_version(clients) < program.least_node:
            machine = _MACHINES.get(platform.machine().lower(), platform.machine().lower())
            wanted.insert(0, npm(f"node-{sys.platform}-{machine}@{NODE}", clients / "npm" / "node"))
    for command in wanted:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            return f"{' '.join(command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-1500:]}"
    return ""


def main(names: list[str]) -> int:
    clients = folder()
    if strangers := sorted(set(names) - {program.client for program in PROGRAMS}):
        print(
            f"There is no {', '.join(strangers)}; there are {', '.join(p.client for p in PROGRAMS)}.", file=sys.stderr
        )
        return 2
    failed = False
    for program in PROGRAMS:
        if not names or program.client in names:
            wrong = install(program, clients)
            failed |= bool(wrong)
            print(f"{program.client} {program.version}: {wrong or 'installed'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

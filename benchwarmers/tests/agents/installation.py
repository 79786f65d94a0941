"""A fresh installation with `bench/crew`: one scripted member for each format that members speak, behind one that
always answers 429; and an alias for each name that a program insists on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwarmers.tests.agents import provider
from benchwarmers.tests.agents.flavour import ROUTE
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port

BUSY = "busy"


def set_up(address: str, aliases: Iterable[str], apis: Iterable[str]) -> str:
    """The set-up file, with members of these formats behind the busy one."""
    members = [BUSY, *apis]
    bases = {BUSY: provider.BUSY, **provider.BASES}
    lines = ['[settings]\nmax_calls = 6\nmax_explorers = 0\nscheduler = "off"\n']
    for name in members:
        api = "chat" if name == BUSY else name
        lines.append(
            f'[[endpoint]]\nname = "{name}"\nbase = "{address}{bases[name]}"\nkind = "local"\napi = "{api}"\n'
            f'[[model]]\nalias = "{name}"\nserved = "{provider.SERVED}"\nendpoint = "{name}"\n'
            "tools = true\ncontext_window = 400000\n"
        )
    lines.append(f'[[collection]]\nname = "crew"\nmembers = {json.dumps(members)}\n')
    lines += [f'[[alias]]\nname = "{name}"\ntarget = "{ROUTE}"\n' for name in aliases]
    return "\n".join(lines)


@contextmanager
def started(home: Path, aliases: Iterable[str], apis: Iterable[str]) -> Iterator[str]:
    """Its address, without a path; everything is stopped afterwards."""
    with provider.running() as address:
        port = free_port()
        file = home / "setup.toml"
        file.write_text(set_up(address, aliases, apis))
        env = environment(home, port, measured=False)
        apply = [sys.executable, "manage.py", "apply", str(file)]
        done = subprocess.run(apply, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise SystemExit(f"manage.py apply failed:\n{done.stdout}{done.stderr}")
        run = Running(home, port, measured=False)
        try:
            run.wait_until_whole()
            yield f"http://127.0.0.1:{port}"
        finally:
            run.end()

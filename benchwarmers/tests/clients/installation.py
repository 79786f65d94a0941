"""A fresh installation with the practice squad, and beside it `bench/person`, whose one member answers in JSON."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwarmers.tests.clients import fenced_json
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port


@contextmanager
def started(home: Path) -> Iterator[str]:
    """Its address, without a path; everything is stopped afterwards."""
    with fenced_json.running() as provider:
        port = free_port()
        file = home / "setup.toml"
        file.write_text(
            f'[[endpoint]]\nname = "people"\nbase = "{provider}"\nkind = "local"\n'
            '[[model]]\nalias = "registrar"\nserved = "registrar"\nendpoint = "people"\nad_hoc = true\n'
            '[[collection]]\nname = "person"\nmembers = ["registrar"]\nmax_explorers = 0\n'
        )
        subprocess.run(
            [sys.executable, "manage.py", "apply", str(file)],
            cwd=ROOT,
            env=environment(home, port, measured=False),
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=120,
        )
        run = Running(home, port, measured=False)
        try:
            run.wait_until_whole()
            yield f"http://127.0.0.1:{port}"
        finally:
            run.end()

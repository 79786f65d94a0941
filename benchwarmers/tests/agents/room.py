"""Runs one program in a clean room: an empty home, a work folder of its own, none of this terminal's variables, a time
limit, and an end to whatever it leaves running."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil
from msgspec import Struct

from benchwarmers.tests.agents.flavour import Flavour

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_SYSTEM = "/usr/local/bin:/usr/bin:/bin"


class Outcome(Struct, frozen=True):
    """How a program ended. `late` when it had to be ended; `told` is what it printed, without colours."""

    code: int
    seconds: float
    told: str
    late: bool = False


def variables(flavour: Flavour, home: Path, node: Path | None) -> dict[str, str]:
    """All that the program finds in its environment."""
    return {
        "PATH": f"{node}:{_SYSTEM}" if node else _SYSTEM,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_STATE_HOME": str(home / ".state"),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "CI": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        **flavour.env,
    }


def write_files(flavour: Flavour, home: Path) -> None:
    """Its configuration files."""
    for name, text in flavour.files.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def run(flavour: Flavour, home: Path, work: Path, node: Path | None, within_s: float) -> Outcome:
    """Run a filled flavour in `work`; `home` is empty, and both are there."""
    write_files(flavour, home)
    env = variables(flavour, home, node)
    began = time.monotonic()
    try:
        if flavour.first:
            before = _start(flavour.first, env, home, work, within_s)
            if before.code != 0 or before.late:
                return before
        done = _start(flavour.command, env, home, work, within_s)
        return Outcome(done.code, time.monotonic() - began, done.told, done.late)
    finally:
        end_leftovers(home)


def _start(command: tuple[str, ...], env: Mapping[str, str], home: Path, work: Path, within_s: float) -> Outcome:
    # Into a file: a daemon that is left behind would keep a pipe open.
    log = home.parent / "output.log"
    began = time.monotonic()
    late = False
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=work,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(within_s)
        except subprocess.TimeoutExpired:
            late = True
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    told = _COLOURS.sub("", log.read_text(errors="replace"))
    return Outcome(code, time.monotonic() - began, told, late)


def end_leftovers(home: Path) -> None:
    """End what left its process group, known by the home that no other program has. What was started while we looked
    is found by looking again."""
    for _ in range(5):
        if not (left := [process for process in psutil.process_iter() if _lives_in(process, home)]):
            return
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=5)


def _lives_in(process: psutil.Process, home: Path) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE and str(home) == process.environ().get("HOME"))
    except psutil.Error:
        return False

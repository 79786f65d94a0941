"""Looks at one installation and says in sentences what is well and what is not.

Every look is a function from the configuration to findings, added with `@look`. Lower layers offer plain functions that
a look here calls, since they cannot import this one. Changes nothing but an absent data folder.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection
from redis.exceptions import RedisError

from benchwarmers.env import SECRET_KEY_FILE, VAULT_KEY_FILE, Environment
from benchwarmers.env_values import BadSetting
from benchwarmers.folder import make_home
from benchwarmers.pending import load_pending
from benchwarmers.ports import bind
from benchwarmers.up import answers
from collections_app.redis_client import redis_once, unfit
from collections_app.vault_rotation import vault_problems

LEAST_FREE_BYTES = 500 * 1024 * 1024
CLOCK_SLACK_S = 5.0
# Before this the clock of the machine was certainly never set.
EARLIEST = 1_735_689_600.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and whether it is good news."""

    is_well: bool
    text: str


Look = Callable[[Environment], Iterable[Finding]]
LOOKS: list[Look] = []


def look(function: Look) -> Look:
    """Add a look to what `doctor` does; looks run in the order in which they were added."""
    LOOKS.append(function)
    return function


def run_looks(bench: Environment) -> Iterator[Finding]:
    """What every look found, in order."""
    for one in LOOKS:
        yield from one(bench)


@look
def look_at_python(bench: Environment) -> Iterator[Finding]:
    """A version that the lock was made for."""
    version = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= sys.version_info < (3, 14):
        yield Finding(True, f"Python {version}.")
    else:
        yield Finding(False, f"Python {version} is not supported; use 3.11, 3.12 or 3.13.")


@look
def look_at_folder(bench: Environment) -> Iterator[Finding]:
    """Writable, with room."""
    try:
        make_home(bench.home)
    except BadSetting as refusal:
        yield Finding(False, str(refusal))
        return
    free = shutil.disk_usage(bench.home).free
    room = f"{free / 1024**3:.1f} GiB free"
    if free < LEAST_FREE_BYTES:
        yield Finding(False, f"The data folder {bench.home} has only {room}; make room, 0.5 GiB is the least.")
    else:
        yield Finding(True, f"The data folder {bench.home} is writable and has {room}.")


@look
def look_at_secrets(bench: Environment) -> Iterator[Finding]:
    """Present, and readable by nobody else."""
    for name, present, variable in (
        (SECRET_KEY_FILE, bench.secret_key is not None, "BENCHWARMERS_SECRET_KEY"),
        (VAULT_KEY_FILE, bool(bench.vault_keys), "BENCHWARMERS_VAULT_KEY"),
    ):
        path = bench.home / name
        if not present:
            yield Finding(False, f"There is no {name}; run manage.py init, or set {variable}.")
        elif path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield Finding(False, f"Others can read {path} (mode {mode:o}); run chmod 600 on it.")
        else:
            yield Finding(True, f"The {name} is there and private.")


@look
def look_at_database(bench: Environment) -> Iterator[Finding]:
    """Reachable, migrated, and in WAL mode when it is SQLite."""
    if connection.vendor == "sqlite" and not os.path.exists(connection.settings_dict["NAME"]):
        yield Finding(False, "There is no database yet; run manage.py init, or start with manage.py up.")
        return
    try:
        pending = load_pending()
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                mode = str(cursor.execute("PRAGMA journal_mode").fetchone()[0])
            if mode != "wal":
                yield Finding(False, f"SQLite is in {mode} mode instead of WAL; is the folder on a network drive?")
    except DatabaseError as error:
        first = str(error).partition("\n")[0]
        yield Finding(False, f"The {connection.vendor} database cannot be used ({first}); check DATABASE_URL.")
        return
    if pending:
        yield Finding(False, f"{len(pending)} migrations are not applied, first {pending[0]}; run manage.py init.")
    else:
        yield Finding(True, f"The {connection.vendor} database is reachable and migrated.")


@look
def look_at_vault(bench: Environment) -> Iterator[Finding]:
    """Every stored secret opens with the keys at hand."""
    try:
        problems = vault_problems()
    except DatabaseError:
        return  # the look at the database has said why
    yield from (Finding(False, problem) for problem in problems)
    if not problems:
        yield Finding(True, "The vault's keys open every stored secret.")


@look
def look_at_redis(bench: Environment) -> Iterator[Finding]:
    """Reachable, and keeping what it is told."""
    try:
        with redis_once(bench.redis_url, socket_timeout=2, socket_connect_timeout=2) as client:
            info: dict[str, Any] = client.info()
    except (RedisError, OSError) as error:
        how = "start manage.py up, which brings it" if bench.own_valkey else "check REDIS_URL"
        yield Finding(False, f"Valkey does not answer ({type(error).__name__}); {how}.")
        return
    if told := unfit(info):
        yield Finding(False, told)
    elif not info.get("aof_enabled"):
        yield Finding(False, "Valkey keeps no append-only file, so a restart loses queued work; set appendonly yes.")
    else:
        yield Finding(True, "Valkey answers and keeps an append-only file.")


@look
def look_at_ports(bench: Environment) -> Iterator[Finding]:
    """Free, or ours."""
    ports = " and ".join(map(str, bench.ports))
    if answers(bench):
        yield Finding(True, f"Benchwarmers answers on {bench.address}.")
        return
    try:
        for opened in bind(bench):
            opened.close()
    except BadSetting as refusal:
        yield Finding(False, str(refusal))
    else:
        yield Finding(True, f"Port {ports} on {bench.bind} is free.")


@look
def look_at_clock(bench: Environment) -> Iterator[Finding]:
    """Set, and not behind what was written here before."""
    now = time.time()
    ahead = max((path.stat().st_mtime for path in bench.home.glob("*.sqlite3*")), default=0.0) - now
    if now < EARLIEST or ahead > CLOCK_SLACK_S:
        yield Finding(False, f"This machine's clock says {time.ctime(now)}, which cannot be right; set it.")
    else:
        yield Finding(True, f"The clock says {time.ctime(now)}; schedules are in {bench.time_zone}.")

"""Turns `DATABASE_URL` into Django's description of a database.

Decides SQLite's pragmas and timeouts, so that several processes can write at once. Never opens the database.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from benchwarmers.env_values import BadSetting

WRONG = "DATABASE_URL must be sqlite:////absolute/path or postgres://name:password@host:port/database."


def database(url: str | None, home: Path) -> dict[str, Any]:
    """The `default` entry of `DATABASES`; without a URL, SQLite in the data folder.

    :raises BadSetting: the URL is of another kind or incomplete. The URL is not repeated, it may hold a password.
    """
    if url is None:
        return _sqlite(home / "benchwarmers.sqlite3")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadSetting(WRONG) from None
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return _sqlite(home / unquote(parts.path[1:]))
    name = unquote(parts.path[1:])
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise BadSetting(WRONG)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        # Without a limit, a database that hangs would hang everything that asks it.
        "OPTIONS": {"connect_timeout": "5", **dict(parse_qsl(parts.query))},
    }


def _sqlite(path: Path) -> dict[str, Any]:
    # IMMEDIATE takes the write lock at BEGIN: a read that turns into a write would otherwise fail at once, unwaited.
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }

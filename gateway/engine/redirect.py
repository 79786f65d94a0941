"""Another database for a while, for every thread: where a restore is built, and in tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections


@contextmanager
def redirected(**settings: Any) -> Iterator[None]:
    """The default database is described by these settings inside the block, over those it has."""
    old, before = connections["default"], connections.settings["default"]
    connections.settings["default"] = {**before, **settings}
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        connections["default"] = old

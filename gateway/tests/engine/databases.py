"""Another database for a while: for every thread, as it is in production."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from django.core.management import call_command
from django.db import connections


@contextlib.contextmanager
def database(**settings: Any) -> Iterator[None]:
    """`default` is another database inside this block, for every thread."""
    old, before = connections["default"], connections.settings["default"]
    connections.settings["default"] = {**before, **settings}
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        connections["default"] = old


def migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    connections["default"].close()

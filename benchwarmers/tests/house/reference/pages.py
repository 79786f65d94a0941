"""Which pages are made, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from benchwarmers.tests.house.reference import commands, fields, jobs, providers, routes

PAGES: Final[dict[str, Callable[[], str]]] = {
    "docs/reference/routes.md": routes.write,
    "docs/reference/commands.md": commands.write,
    "docs/reference/jobs.md": jobs.write,
    "docs/reference/fields.md": fields.write,
    "docs/providers.md": providers.write,
}
"""By path inside the project. `jobs` asks a database that has been migrated; the others ask none."""

"""Which migrations the database still lacks. Reads only."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def load_pending() -> list[str]:
    """The names (`app.migration`) still to apply, in order; empty when the database is up to date."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]

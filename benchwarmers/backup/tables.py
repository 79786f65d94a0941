"""Which tables and columns a database has, told by the migrations that were applied to it.

Not by today's models: a database is also backed up before an upgrade, and restored from before one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps

from benchwarmers.backup.manifest import Column
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.values import kind_of

LEFT_OUT: Final = frozenset({"django_session", "usersessions_usersession"})
"""Whoever holds an archive must not be able to go on with somebody's session."""
Applied = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: its columns in order, its key's column, and whether the database numbers its rows."""

    name: str
    columns: tuple[Column, ...]
    key: Column
    is_numbered: bool


def unknown_migrations(applied: Applied) -> list[str]:
    """Those, as `app.name`, that this program does not have."""
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sorted(f"{app}.{name}" for app, names in applied.items() for name in names if (app, name) not in known)


def shapes_at(applied: Applied) -> list[Shape]:
    """The tables after these migrations, by name, without those that are left out.

    :raises Refused: this program does not have one of the migrations.
    """
    if unknown := unknown_migrations(applied):
        raise Refused(
            f"The database is of a newer version than this program, which does not know {unknown[0]}: "
            "use the version that it belongs to."
        )
    return sorted((shape for shape in _shapes(_apps_at(applied)) if shape.name not in LEFT_OUT), key=_by_name)


def newest_of(applied: Applied) -> list[tuple[str, str]]:
    """Those of these migrations that no other of them needs: what leads to them is all of them."""
    children = MigrationLoader(None, ignore_no_migrations=True).graph.node_map
    nodes = {(app, name) for app, names in applied.items() for name in names}
    return sorted(node for node in nodes if not any(child.key in nodes for child in children[node].children))


def _apps_at(applied: Applied) -> StateApps:
    return MigrationLoader(None, ignore_no_migrations=True).project_state(newest_of(applied)).apps


def _by_name(shape: Shape) -> str:
    return shape.name


def _shapes(apps: StateApps) -> Iterable[Shape]:
    for model in apps.get_models(include_auto_created=True):
        meta: Any = model._meta
        if not meta.managed or meta.proxy or meta.swapped:
            continue
        columns = tuple(Column(str(field.column), kind_of(field)) for field in meta.local_concrete_fields)
        key = Column(str(meta.pk.column), kind_of(meta.pk))
        yield Shape(meta.db_table, columns, key, meta.auto_field is not None)

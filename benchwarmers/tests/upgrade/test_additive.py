"""What a migration may do while processes of the last release still run: add. Whatever else is reviewed here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from benchwarmers.tests.upgrade.keep import FOLDER, made
from collections_app.online import AddIndexOnline

OURS: Final = frozenset({"collections_app", "gateway", "probes", "suite", "benchwarmers"})
REVIEWED: Final = {
    "collections_app.0017_backup_alerts: AlterField": "the words of a choice, of which the database knows nothing",
    "collections_app.0016_days_of_work_and_samples: a column that old processes leave out": (
        "the settings are one row, which is there since the first start"
    ),
}
"""What keeps processes of the last release from working beside the new schema, and why that does no harm."""
ADDS: Final = (migrations.CreateModel, migrations.AddIndex, AddIndexOnline, migrations.AlterModelOptions)


def harm(migration: Any) -> Iterator[str]:
    """What this migration does that processes of before would notice."""
    name, made_here = f"{migration.app_label}.{migration.name}", set()
    for one in migration.operations:
        match one:
            case migrations.CreateModel():
                made_here.add(one.name_lower)
            case _ if isinstance(one, ADDS) or getattr(one, "model_name_lower", None) in made_here:
                continue
            case migrations.AddField(field=field):
                if not (field.null or field.many_to_many or field.has_db_default()):
                    yield f"{name}: a column that old processes leave out"
            case migrations.RunPython():
                continue  # writes rows; that it keeps those there are is tried in test_released
            case _:
                yield f"{name}: {type(one).__name__}"


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """The migrations of the newest version that is out."""
    newest = max(FOLDER.glob("*.sql.gz"), key=_number)
    path = tmp_path_factory.mktemp("released") / "released.sqlite3"
    made(newest, path)
    with closing(sqlite3.connect(path)) as opened:
        return set(opened.execute("SELECT app, name FROM django_migrations"))


def test_migrations_since_the_last_release_only_add(released: set[tuple[str, str]]) -> None:
    known = MigrationLoader(None).disk_migrations
    new = [one for key, one in sorted(known.items()) if key not in released and key[0] in OURS]
    assert {what for one in new for what in harm(one)} == set(REVIEWED)


def test_no_migration_that_is_out_was_removed(released: set[tuple[str, str]]) -> None:
    known = MigrationLoader(None).disk_migrations
    assert {key for key in released if key[0] in OURS} - set(known) == set()


@pytest.mark.parametrize(
    ("operation", "harms"),
    [
        (migrations.CreateModel("A", [("id", models.BigAutoField(primary_key=True))]), []),
        (migrations.AddField("b", "c", models.IntegerField(null=True)), []),
        (migrations.AddField("b", "c", models.IntegerField(db_default=3)), []),
        (migrations.AddField("b", "c", models.IntegerField(default=3)), ["a column that old processes leave out"]),
        (migrations.RemoveField("b", "c"), ["RemoveField"]),
        (migrations.RenameField("b", "c", "d"), ["RenameField"]),
        (migrations.AlterField("b", "c", models.IntegerField()), ["AlterField"]),
        (migrations.DeleteModel("b"), ["DeleteModel"]),
        (migrations.RunSQL("DROP TABLE b"), ["RunSQL"]),
    ],
)
def test_harm_is_told_from_additions(operation: Any, harms: list[str]) -> None:
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})("0001_x", "app")
    assert list(harm(migration)) == [f"app.0001_x: {what}" for what in harms]


def _number(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.name.removesuffix(".sql.gz").split("."))

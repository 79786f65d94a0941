"""Restores an archive: all of it or nothing, and says what it did."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from benchwarmers.backup.archive import Reader, Say, opened
from benchwarmers.backup.keys import FACTORS, SEALED, archived, fingerprint, keys_here, lost_with, put_back
from benchwarmers.backup.load import load, read_back
from benchwarmers.backup.manifest import Manifest
from benchwarmers.backup.place import Place, place
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.tables import Applied, newest_of, shapes_at, unknown_migrations
from benchwarmers.env import VAULT_KEY_FILE, Environment
from benchwarmers.pending import load_pending
from benchwarmers.version import version

ANYWAY: Final = "--without-keys restores the rest"


def check(path: Path, say: Say = lambda table, rows: None) -> Manifest:
    """Read an archive from end to end; what it says of itself.

    :raises Refused: it is damaged, or not for this program.
    """
    with opened(path) as archive:
        _refuse_newer(archive.manifest)
        shapes_at(archive.manifest.migrations)
        for table in archive.manifest.tables:
            for count, _ in enumerate(archive.rows(table), 1):
                say(table.name, count)
        return archive.manifest


def restore(
    path: Path,
    bench: Environment,
    now: datetime,
    *,
    replace: bool = False,
    without_keys: bool = False,
    say: Say = lambda table, rows: None,
) -> list[str]:
    """Make the default database be what the archive has, brought up to this program's version; what was done, in
    sentences. `replace`: there is one already, which is kept elsewhere. `without_keys`: secrets that nothing opens
    may stay closed.

    :raises Refused: it cannot be done. Then nothing was changed.
    """
    with ExitStack() as stack:
        archive = stack.enter_context(opened(path))
        manifest = archive.manifest
        _refuse_newer(manifest)
        keys = _keys(archive, bench)
        if not without_keys:
            _refuse_strange_keys(manifest, keys)
        spot = stack.enter_context(place())
        if spot.has_tables and not replace:
            raise Refused(
                "The database is not empty. --replace puts the archive in its place, and keeps what is there beside it."
            )
        spot.prepare()
        stack.callback(spot.discard)
        try:
            said = _build(spot, archive, keys, without_keys, say)
        except Error as error:
            raise Refused(f"The database cannot be built: {str(error).partition(chr(10))[0]}.") from error
        said += put_back(bench, archive.keys())
        if kept := spot.finish(now):
            said.append(f"What was there before is kept as {kept}: remove it when all is well.")
    return said


def _build(spot: Place, archive: Reader, keys: tuple[str, ...], without_keys: bool, say: Say) -> list[str]:
    manifest = archive.manifest
    with spot.inside():
        shapes = shapes_at(manifest.migrations)
        make_tables(manifest.migrations)
        load(archive, shapes, say)
        read_back(archive, shapes, say)
        said = [
            f"Restored {manifest.rows} rows of {len(shapes)} tables into {connection.vendor}, as they were at "
            f"{manifest.made} on {manifest.database}, version {manifest.program}. Every row was read back and compared."
        ]
        if pending := load_pending():
            said.append(f"{len(pending)} migrations were applied that are newer than the archive.")
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        connection.check_constraints()
        if lost := lost_with(keys):
            if not without_keys:
                raise Refused(f"Not all that is sealed would open: {lost.sentence}. {ANYWAY}.")
            said.append(f"Some of what is sealed does not open: {lost.sentence}.")
        said.append("People sign in again: sessions are in no archive.")
        return said


def make_tables(applied: Applied) -> None:
    """Tables as these migrations make them."""
    MigrationExecutor(connection).migrate(newest_of(applied))


def _keys(archive: Reader, bench: Environment) -> tuple[str, ...]:
    """Those that will be there afterwards."""
    return (*keys_here(bench), *archived(archive.keys()))


def _refuse_newer(manifest: Manifest) -> None:
    if unknown := unknown_migrations(manifest.migrations):
        raise Refused(
            f"The archive is of version {manifest.program}, which knows {unknown[0]}; this program is "
            f"{version().number} and does not. Restore with that version or a newer one."
        )


def _refuse_strange_keys(manifest: Manifest, keys: tuple[str, ...]) -> None:
    """Before any work is done, where it is plain that nothing will open."""
    is_sealed = manifest.rows_of(SEALED) or manifest.rows_of(FACTORS)
    if is_sealed and not {fingerprint(key) for key in keys} & set(manifest.keys):
        raise Refused(
            f"The stored secrets were sealed with the vault key {' or '.join(manifest.keys) or 'of another place'} "
            f"(fingerprint), which is not here. Put that installation's file {VAULT_KEY_FILE} into the data folder or "
            f"its key into BENCHWARMERS_VAULT_KEY; {ANYWAY}."
        )

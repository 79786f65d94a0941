"""What an archive says of itself. Pure."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from benchwarmers.backup.refused import Refused

FORMAT: Final = 1
"""Raised when older programs cannot read what newer ones write."""
NAME: Final = "manifest.json"


class Column(Struct, frozen=True):
    """A column's name and the kind of its values (`values.Kind`)."""

    name: str
    kind: str


class Table(Struct, frozen=True):
    """A table as it is in the archive: `rows` lines in the order of their key, with the SHA-256 of their bytes.
    `sequence` is the last number that was given to a row, 0 where none was or none are given."""

    name: str
    columns: tuple[Column, ...]
    rows: int
    sha256: str
    sequence: int = 0


class Manifest(Struct, frozen=True):
    """`program` is the version that wrote it, `made` the moment of the view (ISO, UTC), `database` the vendor it came
    from, `migrations` what was applied, as app to names. `keys` are fingerprints of the vault's keys, newest first."""

    format: int
    program: str
    made: str
    database: str
    migrations: dict[str, tuple[str, ...]]
    tables: tuple[Table, ...]
    keys: tuple[str, ...]
    has_keys: bool
    left_out: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Of all tables."""
        return sum(table.rows for table in self.tables)

    def rows_of(self, name: str) -> int:
        """0 for a table that is not there."""
        return sum(table.rows for table in self.tables if table.name == name)


def read_manifest(told: bytes) -> Manifest:
    """The manifest in these bytes.

    :raises Refused: it is none, or of a later format.
    """
    try:
        number = msgspec.json.decode(told, type=_Numbered).format
        if number > FORMAT:
            raise Refused(
                f"The archive is of format {number} and this program reads {FORMAT} at most: "
                "restore with the version that made it, or a newer one."
            )
        return msgspec.json.decode(told, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(f"The archive is damaged: its manifest cannot be read ({error}).") from None


class _Numbered(Struct):
    format: int

"""The file of an archive: writing its tables one after another, and reading them back with their sums checked."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from benchwarmers.backup.manifest import NAME, Manifest, Table, read_manifest
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.tables import Shape

LEVEL: Final = 3
PIECE: Final = 1 << 20
"""Bytes that are gathered before they are packed."""
SAY_EVERY: Final = 10_000
MOST_MANIFEST: Final = 50_000_000
KEYS: Final = "keys/"
Say = Callable[[str, int], object]
"""Told of a table and how many of its rows are done."""
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(list[Any]).decode


class Writer:
    """Tables first, the manifest last: an archive without one is not whole."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)

    def table(self, shape: Shape, rows: Iterable[list[Any]], sequence: int, say: Say) -> Table:
        """Write a table; what the manifest is to say of it."""
        total, count, pieces, size = hashlib.sha256(), 0, [], 0
        with self._zip.open(_place(shape.name), "w", force_zip64=True) as member:
            for row in rows:
                line = _encode(row) + b"\n"
                pieces.append(line)
                size += len(line)
                count += 1
                if size > PIECE:
                    _put(member, total, pieces)
                    size = 0
                if count % SAY_EVERY == 0:
                    say(shape.name, count)
            _put(member, total, pieces)
        return Table(shape.name, shape.columns, count, total.hexdigest(), sequence)

    def keys(self, files: dict[str, str]) -> None:
        """Put files of keys in: name to text."""
        for name, text in files.items():
            self._zip.writestr(KEYS + name, text)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest and the list of what is in the file."""
        self._zip.writestr(NAME, msgspec.json.format(_encode(manifest)))
        self._zip.close()


class Reader:
    """An archive that is whole as far as its manifest tells. Whatever is read raises Refused where it is damaged."""

    def __init__(self, opened: zipfile.ZipFile, manifest: Manifest) -> None:
        self._zip = opened
        self.manifest = manifest

    def lines(self, table: Table) -> Iterator[bytes]:
        """The table's lines. Their number and sum are checked at the end."""
        total, count = hashlib.sha256(), 0
        with _whole(), self._zip.open(_place(table.name)) as member:
            for line in member:
                total.update(line)
                count += 1
                yield line
        if count != table.rows or total.hexdigest() != table.sha256:
            raise Refused(f"The archive is damaged: the table {table.name} is not as it was written.")

    def rows(self, table: Table) -> Iterator[list[Any]]:
        """The table's rows."""
        width = len(table.columns)
        for line in self.lines(table):
            row = unpacked(line)
            if len(row) != width:
                raise Refused(f"The archive is damaged: a row of {table.name} has {len(row)} values, not {width}.")
            yield row

    def keys(self) -> dict[str, str]:
        """The files of keys in it: name to text."""
        with _whole():
            names = [name for name in self._zip.namelist() if name.startswith(KEYS)]
            return {name.removeprefix(KEYS): self._zip.read(name).decode("ascii") for name in names}


@contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """An archive to read.

    :raises Refused: it is not there, no archive, not whole, or of a later format.
    """
    try:
        with _whole():
            archive = zipfile.ZipFile(path)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    with archive:
        with _whole():
            told = archive.read(NAME) if archive.getinfo(NAME).file_size <= MOST_MANIFEST else b""
        yield Reader(archive, read_manifest(told))


def unpacked(line: bytes) -> list[Any]:
    """The row of a line."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Refused("The archive is damaged: it has a line that is no row.") from None


def packed(row: list[Any]) -> bytes:
    """The line of a row."""
    return _encode(row) + b"\n"


@contextmanager
def _whole() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError) as error:
        raise Refused(f"The file is damaged, or no archive of Benchwarmers ({error}).") from None


def _place(table: str) -> str:
    return f"tables/{table}.jsonl"


def _put(member: Any, total: Any, pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    pieces.clear()
    total.update(whole)
    member.write(whole)

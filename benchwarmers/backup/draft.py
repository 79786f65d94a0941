"""A file that is there whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from benchwarmers.backup.flush import flush
from benchwarmers.backup.refused import Refused

PART = ".part"


def draft_of(path: Path) -> Path:
    """Where a file is while it is written: beside its place, hidden."""
    return path.with_name(f".{path.name}{PART}")


@contextmanager
def drafted(path: Path) -> Iterator[BinaryIO]:
    """A new file, readable by its owner alone, that gets its name when the block ends well and is on the disk.

    :raises Refused: the name is taken, somebody else is writing it, or it cannot be written.
    """
    if path.exists():
        raise Refused(f"{path} is there already; name a file that is not, or remove that one.")
    draft = draft_of(path)
    try:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
    with os.fdopen(handle, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another backup is writing {path} already.") from None
        try:
            file.truncate()  # what a killed one left
            os.fchmod(file.fileno(), 0o600)
            yield file
            file.flush()
            os.fsync(file.fileno())
            draft.replace(path)
            flush(path.parent)  # the name too
        except OSError as error:
            raise Refused(_sentence(path, error)) from error
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()


def remove_left(folder: Path, pattern: str) -> None:
    """Remove drafts of files like this that nobody writes any more."""
    for draft in folder.glob(f".{pattern}{PART}"):
        with draft.open("rb") as file, suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.unlink()


def _sentence(path: Path, error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"There is no room left for {path}; nothing of it is kept. Make room, or name a file on another disk."
    return f"{path} cannot be written: {error.strerror or error}; nothing of it is kept."

"""Has a file's bytes, or a folder's names, on the disk before it returns."""

from __future__ import annotations

import os
from pathlib import Path


def flush(path: Path) -> None:
    """:raises OSError: the disk does not take it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

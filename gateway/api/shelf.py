"""The code that the practice squad has by heart: the Python files of installed packages, and no other file."""

from __future__ import annotations

import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import Final

_MOST_BYTES: Final = 400_000
_ROOT: Final = Path(sysconfig.get_paths()["purelib"])


@lru_cache(maxsize=64)
def recall(name: str) -> tuple[str, ...]:
    """The lines of a file by its name below the installed packages, such as `django/utils/text.py`; none where there is
    no such file. The name comes from a caller: it leads to no file outside, however it is written."""
    try:
        file = (_ROOT / name).resolve()
        if not file.is_relative_to(_ROOT.resolve()) or file.suffix != ".py" or file.stat().st_size > _MOST_BYTES:
            return ()
        return tuple(file.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):  # no such file, a name that no file can have, or no text
        return ()

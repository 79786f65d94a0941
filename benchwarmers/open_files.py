"""How many files and connections a process may have open: as many as the system lets it, within reason.

Standard library only.
"""

from __future__ import annotations

import resource
from typing import Final

ENOUGH: Final = 65_536
"""What 10,000 callers with a provider each need, several times over. Some systems allow a billion, and programs that
close all that might be open then take minutes."""


def raise_limit() -> int:
    """Raises the soft limit to the hard one, at most to ENOUGH; returns what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ENOUGH if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        return soft  # macOS names a hard limit that it does not allow
    return wanted

"""Did another model answer than the one that was asked for? Pure comparison of the two names."""

from __future__ import annotations

import re
from functools import lru_cache

_REGION = re.compile(r"^(us|eu|apac|global|jp|au)\.")
_TAIL = re.compile(
    r"[-@_.](?:20\d{2}-?\d{2}-?\d{2}|\d{2}-\d{2}|\d{4}|v\d+(?:[.:]\d+)*|latest|preview|exp|low|medium|high)$"
)


def swapped(asked: str, served: str) -> bool:
    """True when both are known and differ in more than a region, a date, a version or an effort."""
    return bool(asked and served) and _plain(asked) != _plain(served)


@lru_cache(maxsize=4_096)
def _plain(name: str) -> str:
    plain = _REGION.sub("", name.rsplit("/", 1)[-1].split(":", 1)[0].lower())
    while (shorter := _TAIL.sub("", plain)) != plain:
        plain = shorter
    return re.sub(r"[-_.]", "", plain)

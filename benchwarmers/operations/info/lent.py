"""The files of others that come with the pages, as their list says."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

VENDOR: Final = Path(__file__).resolve().parents[2] / "static" / "vendor"


@dataclass(frozen=True, slots=True)
class Lent:
    """One work of others: what it is, its version, its licence, and the file with the licence's words."""

    name: str
    version: str
    licence: str
    licence_file: str


@cache
def load_lent() -> tuple[Lent, ...]:
    """Each work once, by name."""
    told = tomllib.loads((VENDOR / "VENDOR.toml").read_text(encoding="utf-8"))["file"]
    found = {Lent(*(str(one[name]) for name in Lent.__slots__)) for one in told}
    return tuple(sorted(found, key=lambda one: one.name.casefold()))

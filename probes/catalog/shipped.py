"""The copies of feeds that come with the program, so that a first start without a way out knows models too."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from probes.catalog.store_feeds import add_shipped, wants_shipped

FILE: Final = Path(__file__).with_name("shipped.json.gz")


def load_shipped() -> list[str]:
    """Keep the shipped copies where there is none, or an older shipped one; the names of those that were taken."""
    wanted = {name: made for name, made in _made().items() if wants_shipped(name, made)}
    if not wanted:
        return []
    document = _document()
    return [
        name
        for name, made in wanted.items()
        if add_shipped(name, msgspec.json.encode(document[name]["document"]), made)
    ]


@cache
def _made() -> dict[str, datetime]:
    """Of which day each copy is."""
    return {name: datetime.fromisoformat(copy["made"]).replace(tzinfo=UTC) for name, copy in _document().items()}


def _document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(gzip.decompress(FILE.read_bytes()))
    return found

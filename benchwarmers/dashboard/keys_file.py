"""The list of keys as a file. Never a key: what tells one from another are its name and last four characters."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from benchwarmers.dashboard.files import harmless
from benchwarmers.dashboard.keys import KeyRow

HEAD: Final = (
    *("name", "owner", "team", "hint", "state", "opens", "requests_a_minute", "tokens_a_minute", "budgets"),
    *("made", "last_used", "expires", "revoked"),
)
EVERY: Final = "*"
"""Opens every collection that its owner or team may call."""


def write_csv(rows: Iterable[KeyRow]) -> str:
    """A head and a row a key; cells that a spreadsheet would take for a formula have an apostrophe before them."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(HEAD)
    write.writerows([harmless(cell) for cell in _cells(row)] for row in rows)
    return out.getvalue()


def _cells(row: KeyRow) -> Sequence[Any]:
    key = row.key
    return (
        *(key.name, key.owner.get_username(), key.team.name if key.team else "", key.hint, row.state),
        *(EVERY if row.opens is None else " ".join(row.opens), key.rpm, key.tpm),
        "; ".join(bar.words for bar in row.bars),
        *(_at(moment) for moment in (key.created_at, key.last_used_at, key.expires_at, key.revoked_at)),
    )


def _at(moment: datetime | None) -> str:
    return timezone.localtime(moment).isoformat(timespec="seconds") if moment else ""

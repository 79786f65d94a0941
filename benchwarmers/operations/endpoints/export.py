"""The list of endpoints as a file: a row a model, and one for an endpoint that has none. Never a key."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from benchwarmers.dashboard.files import harmless
from benchwarmers.operations.endpoints.blocks import Block

HEAD: Final = (
    *("endpoint", "default", "kind", "hub", "api", "base", "key", "signed_in"),
    *("model", "served", "connection", "status", "listed", "last_listed"),
)


def write_csv(blocks: Iterable[Block]) -> str:
    """A head and the rows; cells that a spreadsheet would take for a formula have an apostrophe before them."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(HEAD)
    for block in blocks:
        write.writerows([harmless(cell) for cell in row] for row in _rows(block))
    return out.getvalue()


def _rows(block: Block) -> Iterator[Sequence[Any]]:
    line, row = block.line, block.line.row
    signed = line.sign_in.state if line.sign_in else ""
    own = (row.name, row.default, row.kind, row.hub, row.api, row.base, line.key.words, signed)
    for one in block.models:
        yield (*own, one.model.alias, one.model.served, one.model.connection, one.status, one.listed, _at(one.seen))
    for decision in block.decisions:
        yield (*own, decision.alias, decision.served, "", "decides", "", "")
    if not block.count:
        yield (*own, *[""] * (len(HEAD) - len(own)))


def _at(moment: datetime | None) -> str:
    return timezone.localtime(moment).isoformat(timespec="seconds") if moment else ""

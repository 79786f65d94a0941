"""The list of models as a file: every model that fits, with the columns of all its views."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.utils import timezone

from benchwarmers.dashboard.files import harmless
from benchwarmers.operations.models.lines import DecisionLine, Line

HEAD: Final = (
    *("model", "served", "endpoint", "connection", "kind", "status", "why", "role", "ad_hoc", "context_window"),
    *("can", "price", "price_kind", "offloads", "judged", "useful", "suite_found", "suite_of"),
    *("reply_p50_s", "reply_p95_s", "last_answer", "seats", "retired_on"),
)


def write_csv(lines: Iterable[Line | DecisionLine]) -> str:
    """A head and a row for each; cells that a spreadsheet would take for a formula have an apostrophe before them."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(HEAD)
    write.writerows([harmless(cell) for cell in _cells(line)] for line in lines)
    return out.getvalue()


def _cells(line: Line | DecisionLine) -> Sequence[Any]:
    if isinstance(line, DecisionLine):
        one = line.decision
        row = (one.alias, one.served, one.via.name, one.via.name, "decision", "", "", "decision", one.ad_hoc)
        return (*row, None, " ".join(one.question_types), *[None] * (len(HEAD) - len(row) - 2))
    model, pace, suite = line.model, line.pace, line.suite
    return (
        *(model.alias, model.served, model.endpoint.name, model.connection, "chat", line.chip.label, line.chip.why),
        *(model.role, model.ad_hoc, line.context, " ".join(map(str, line.can)), line.price.words, line.price.kind),
        *(line.record.offloads, line.record.judged, round(line.record.useful, 2)),
        *((round(suite.hits, 2), round(suite.of, 2)) if suite else (None, None)),
        *((round(pace.p50_s, 2), round(pace.p95_s, 2)) if pace else (None, None)),
        timezone.localtime(line.answered_at).isoformat(timespec="seconds") if line.answered_at else None,
        " ".join(line.seats),
        timezone.localtime(model.retired_at).date().isoformat() if model.retired_at else None,
    )

"""The gateway with much earlier work in its database beside one with none: turns, streams and panels."""

from __future__ import annotations

from typing import Any, Final

from bench.ground import Ground, Pace
from bench.report import Column, times, two
from bench.rounds import Case, visit
from bench.route import MANY
from bench.setup import AT_ONCE, CHUNKS

KINDS: Final = {"turn": (AT_ONCE, False), "stream": (CHUNKS, True), "panel": ("panel5", False)}
COLUMNS: Final = (
    Column("target", "installation"),
    Column("turn_cpu_ms", "CPU ms a turn", two),
    Column("turn_ratio", "of the empty one's", times),
    Column("stream_cpu_ms", "a stream", two),
    Column("stream_ratio", "of the empty one's", times),
    Column("panel_cpu_ms", "a panel of 5", two),
    Column("panel_ratio", "of the empty one's", times),
)


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row an installation; processor time at 16 callers, in the same rounds."""
    name = f"{pace.evidence:,} pieces of evidence, {pace.ledger:,} rows of the ledger"
    empty, full = on.gateway, on.filled(name, pace.evidence, pace.ledger)
    cases = [
        Case(kind, target, target.chat(model, stream=stream), MANY, pace.seconds)
        for kind, (model, stream) in KINDS.items()
        for target in (empty, full)
    ]
    found = visit(cases, pace.rounds)
    rows = []
    for target, told in ((empty, "empty"), (full, name)):
        row: dict[str, Any] = {"target": told}
        for kind in KINDS:
            row[f"{kind}_cpu_ms"] = found.median(kind, target.name, "cpu_ms")
            row[f"{kind}_ratio"] = found.ratio(kind, target.name, empty.name, "cpu_ms")
        rows.append(row)
    return rows

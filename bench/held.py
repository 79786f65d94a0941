"""What the gateway is held to, beside what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bench.gate import LIMITS
from bench.report import Column, two
from bench.route import STREAMS, TOGETHER

STREAM_KB: Final = 35.0
GROWN: Final = 1.10
"""Much earlier work may cost a tenth."""
COLUMNS: Final = (
    Column("what", "what"),
    Column("limit", "at most", two),
    Column("measured", "measured", two),
    Column("verdict", ""),
)


def rows(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each limit of a part that was measured. A figure within its noise of a limit may say either."""
    found = []
    for part, at, key, what, limit in (
        ("route", 2, "turn_ratio", "a turn, times the minimal relay's processor time", LIMITS[TOGETHER]),
        ("route", 2, "stream_ratio", "a stream of 50 chunks, times the minimal relay's", LIMITS[STREAMS]),
        ("memory", 1, "stream_kb", "an open stream, KB", STREAM_KB),
        ("growth", 1, "turn_ratio", "a turn with much earlier work, times that with none", GROWN),
        ("growth", 1, "stream_ratio", "a stream with much earlier work, times that with none", GROWN),
        ("growth", 1, "panel_ratio", "a panel of five with much earlier work, times that with none", GROWN),
    ):
        if part in figures:
            measured = figures[part][at][key]
            verdict = "held" if measured <= limit else "**missed**"
            found.append({"what": what, "limit": limit, "measured": measured, "verdict": verdict})
    return found

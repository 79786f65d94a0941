"""What can be measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench import formats, growth, memory, panels, route, start, wire
from bench.ground import Ground, Pace
from bench.report import Column

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Part:
    """What it is about, its table's columns, and what measures it."""

    about: str
    columns: Sequence[Column]
    measure: Callable[[Ground, Pace], Rows]


PARTS: Final = {
    "route": Part("a turn in route mode beside a minimal relay", route.COLUMNS, route.measure),
    "formats": Part("the same in each caller's format", formats.COLUMNS, formats.measure),
    "panels": Part("panels of one, three, five and a merged one", panels.COLUMNS, panels.measure),
    "memory": Part("what an open stream weighs", memory.COLUMNS, memory.measure),
    "growth": Part("all of it with much earlier work", growth.COLUMNS, growth.measure),
    "start": Part("how fast it starts, and its weight while idle", start.COLUMNS, start.measure),
    "wire": Part("the wire formats alone, without a network", wire.COLUMNS, wire.measure),
    "agent": Part("an agent's request of 100 KB, read and written", wire.AGENT_COLUMNS, wire.measure_agent),
}

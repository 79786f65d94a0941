"""A turn in route mode beside a relay that only passes bytes on, whole and streamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bench.ground import Ground, Pace
from bench.report import Column, count, times, two
from bench.rounds import Case, Found, visit
from bench.setup import AT_ONCE, CHUNKS
from bench.targets import Target

MANY: Final = 16
ALONE, TOGETHER, STREAM, STREAMS = "whole, 1 caller", "whole, 16 callers", "streamed, 1 caller", "streamed, 16 callers"
COLUMNS: Final = (
    Column("target", "target"),
    Column("turn_cpu_ms", "CPU ms a turn", two),
    Column("turn_ratio", "of the relay's", times),
    Column("turn_all_cpu_ms", "with all its processes", two),
    Column("added_p50_ms", "added p50, ms", two),
    Column("added_p99_ms", "added p99, ms", two),
    Column("per_s", "turns/s at 16", count),
    Column("stream_cpu_ms", "CPU ms a stream", two),
    Column("stream_ratio", "of the relay's", times),
    Column("added_first_event_ms", "first event, added ms", two),
    Column("events_per_s", "events/s at 16", count),
)


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a target. Added is over asking the upstream itself, with one caller; processor time is at 16 callers."""
    targets = [on.direct, on.relay, on.gateway, *on.others]
    found = visit(cases(targets, pace.seconds), pace.rounds)
    return [row(found, one.name, on.direct.name, on.relay.name) for one in targets]


def cases(targets: Sequence[Target], seconds: float) -> list[Case]:
    """Each way of asking, target by target."""
    found = []
    for name, model, stream, callers in (
        (ALONE, AT_ONCE, False, 1),
        (TOGETHER, AT_ONCE, False, MANY),
        (STREAM, CHUNKS, True, 1),
        (STREAMS, CHUNKS, True, MANY),
    ):
        found += [Case(name, one, one.chat(model, stream=stream), callers, seconds * one.patience) for one in targets]
    return found


def row(found: Found, name: str, none: str, base: str) -> dict[str, Any]:
    """What it adds over `none`, its rate, and its processor time as a multiple of `base`'s."""

    def added(case: str, key: str) -> float:
        return found.median(case, name, key) - found.median(case, none, key)

    told: dict[str, Any] = {"target": name}
    for kind, case in (("turn", TOGETHER), ("stream", STREAMS)) if name != none else ():
        told[f"{kind}_cpu_ms"] = found.median(case, name, "cpu_ms")
        told[f"{kind}_all_cpu_ms"] = found.median(case, name, "all_cpu_ms")
        told[f"{kind}_ratio"] = found.ratio(case, name, base, "cpu_ms")
    if name != none:
        told["added_p50_ms"] = added(ALONE, "whole_p50_ms")
        told["added_p99_ms"] = added(ALONE, "whole_p99_ms")
        told["added_first_event_ms"] = added(STREAM, "first_event_p50_ms")
    told["per_s"] = found.median(TOGETHER, name, "per_s")
    told["events_per_s"] = found.median(STREAMS, name, "events_per_s")
    return told

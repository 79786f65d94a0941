"""Panels of one, three and five and a merged one over an upstream that takes 50 ms, beside the least that fans out."""

from __future__ import annotations

from typing import Any, Final

from bench.ground import Ground, Pace
from bench.report import Column, count, one, times, two
from bench.rounds import Case, visit
from bench.route import MANY
from bench.setup import PANELS, UPSTREAM_MS

KINDS: Final = {f"panel{seats}": f"{seats} seat{'s' * (seats > 1)}" for seats in PANELS} | {
    "merged5": "5 seats, merged"
}
COLUMNS: Final = (
    Column("panel", "panel"),
    Column("least_added_ms", "minimal: added p50, ms", one),
    Column("added_ms", "added p50, ms", one),
    Column("added_p99_ms", "added p99, ms", one),
    Column("least_per_s", "minimal: panels/s at 16", count),
    Column("per_s", "panels/s at 16", count),
    Column("rate_ratio", "of the minimal", times),
    Column("least_cpu_ms", "minimal: CPU ms", two),
    Column("cpu_ms", "CPU ms a panel", two),
    Column("cpu_ratio", "of the minimal", times),
    Column("all_cpu_ms", "with all its processes", two),
)


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a panel. Added, with one caller, is over what its models take: 50 ms, and as long again to merge."""
    cases = []
    for model in KINDS:
        for callers in (1, MANY):
            for target in (on.fan_out, on.gateway):
                cases.append(Case(f"{model} {callers}", target, target.chat(model), callers, pace.seconds))
    found = visit(cases, pace.fewer)
    rows = []
    for model, told in KINDS.items():
        takes = UPSTREAM_MS * (2 if model.startswith("merged") else 1)
        alone, together = f"{model} 1", f"{model} {MANY}"
        ours, least = on.gateway.name, on.fan_out.name
        rows.append(
            {
                "panel": told,
                "least_added_ms": found.median(alone, least, "whole_p50_ms") - takes,
                "added_ms": found.median(alone, ours, "whole_p50_ms") - takes,
                "added_p99_ms": found.median(alone, ours, "whole_p99_ms") - takes,
                "least_per_s": found.median(together, least, "per_s"),
                "per_s": found.median(together, ours, "per_s"),
                "rate_ratio": found.ratio(together, ours, least, "per_s"),
                "least_cpu_ms": found.median(together, least, "cpu_ms"),
                "cpu_ms": found.median(together, ours, "cpu_ms"),
                "cpu_ratio": found.ratio(together, ours, least, "cpu_ms"),
                "all_cpu_ms": found.median(together, ours, "all_cpu_ms"),
            }
        )
    return rows

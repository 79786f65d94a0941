"""What the seasons come to, as a table in markdown."""

from __future__ import annotations

from collections.abc import Sequence

from benchwarmers.simulation.season import Season

HEAD = (
    "| way | regret | a request | best member seated, last quarter | longest wait for a seat | seats a model |",
    "|---|---:|---:|---:|---:|---:|",
)


def write_table(seasons: Sequence[Season]) -> str:
    """A row a season. The regret is counted in useful answers."""
    return "\n".join([*HEAD, *map(_row, seasons), ""])


def _row(season: Season) -> str:
    total, counts = season.regret[-1], season.seats.values()
    return (
        f"| {season.way} | {total:.0f} | {total / len(season.regret):.3f} | {season.best_lately:.0%} "
        f"| {season.longest_gap_days:.1f} days | {min(counts)} to {max(counts)} |"
    )

"""The table of results."""

from __future__ import annotations

from msgspec import Struct


class Row(Struct, frozen=True):
    """One flavour's result. `problem` is empty when the file was edited as asked, `version` when not installed."""

    client: str
    flavour: str
    version: str = ""
    problem: str = ""
    seconds: float = 0.0

    @property
    def result(self) -> str:
        """In words."""
        if not self.version:
            return "skipped: not installed"
        return f"FAILED: {self.problem}" if self.problem else "passed"


def table(rows: list[Row]) -> str:
    """The rows under a head, the columns aligned; what went wrong comes last, for it may be long."""
    cells = [("client", "version", "flavour", "seconds", "result")]
    for row in rows:
        seconds = f"{row.seconds:.1f}" if row.version else ""
        cells.append((row.client, row.version or "-", row.flavour, seconds, row.result))
    widths = [max(len(line[place]) for line in cells) for place in range(4)]
    lines = [" | ".join([*(line[i].ljust(widths[i]) for i in range(4)), line[4]]) for line in cells]
    return "\n".join(lines)


def tally(rows: list[Row]) -> str:
    """`17 of 19 passed, 2 failed; skipped: 1`."""
    installed = [row for row in rows if row.version]
    failed = sum(bool(row.problem) for row in installed)
    skipped = len(rows) - len(installed)
    passed = f"{len(installed) - failed} of {len(installed)} passed, {failed} failed"
    return f"{passed}; skipped: {skipped}" if skipped else passed

"""One thing after another is taken over: what is here stays, what is refused is told, and the rest goes on."""

from __future__ import annotations

from collections.abc import Callable

from collections_app.aliases import AliasLoop
from collections_app.refusal import Refused
from probes.original.report import Report


def taken(report: Report, kind: str, name: str, known: bool, act: Callable[[], object]) -> None:
    """Do it unless it is known, and note how it went."""
    tally = report.of(kind)
    if known:
        tally.known += 1
        return
    try:
        act()
        tally.added += 1
    except (Refused, AliasLoop) as refusal:
        tally.left.append((name, str(refusal)))

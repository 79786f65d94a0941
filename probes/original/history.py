"""Takes over what was done with the original. Each row is known by what it says, so that a second run adds nothing."""

from __future__ import annotations

from collections_app.standings_store import rebuild_standings
from gateway.engine.usage_store import rebuild_usage
from probes.original.folder import Folder
from probes.original.ledger import take_ledger, take_probes
from probes.original.names import Aliases
from probes.original.panels import take_panels
from probes.original.report import Report
from probes.original.work import take_work


def take_history(folder: Folder, report: Report) -> None:
    """All of it, and the sums that are made of it. Panels come before the work that was done in them."""
    models = Aliases()
    take_panels(folder, report.of("panels"), models)
    take_work(folder, report.of("pieces of work"), models)
    take_ledger(folder, report.of("calls in the ledger"), models)
    take_probes(folder, report.of("measurements"), models)
    rebuild_standings()
    rebuild_usage()
    if answers := folder.answers():
        report.advice.append(
            f"{answers} saved answers to tasks of the suite were not taken; manage.py import_original_suite takes them."
        )

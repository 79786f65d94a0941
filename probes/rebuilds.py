"""Jobs that make sums anew from what they were made of: the standings from the evidence, usage from the ledger.

Harmless at any time. Stopped half-way, what was done stays right; begun again, they begin at the front.
"""

from __future__ import annotations

from collections_app.announce import announce
from collections_app.models import LanguageModel
from collections_app.standings_store import rebuild_standings
from gateway.engine.usage_store import rebuild_usage
from probes.jobs.work import Ending, JobAtWork


def standings(at_work: JobAtWork) -> Ending:
    """Model by model."""
    models = list(LanguageModel.objects.order_by("alias").values_list("pk", flat=True))
    counted = 0
    for number, model in enumerate(models, 1):
        at_work.check()
        counted += rebuild_standings(model)
        at_work.progress(number, len(models))
    announce("standings")
    return Ending(note=f"the standings of {counted} models made anew")


def usage(at_work: JobAtWork) -> Ending:
    """Day by day."""

    def between(done: int, of: int) -> None:
        at_work.progress(done, of)
        at_work.check()

    days = rebuild_usage(between)
    return Ending(note=f"the sums of {days} days made anew")

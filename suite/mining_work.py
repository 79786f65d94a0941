"""The job that makes tasks of all claims that people judged and nobody has made any of yet."""

from __future__ import annotations

from gateway.models import Panel
from probes.jobs.work import Ending, JobAtWork
from suite.mining import NothingToMine
from suite.mining_rows import ids_to_mine, mine_panel


def mine_all(at_work: JobAtWork) -> Ending:
    """Panel by panel, so that it can be stopped and begun again at any of them."""
    ids = ids_to_mine()
    made = of = 0
    for done, key in enumerate(ids, 1):
        at_work.check()
        panel = Panel.objects.filter(pk=key).first()
        try:
            mined = mine_panel(panel, by=at_work.job.by, now=at_work.clock()) if panel else None
        except NothingToMine as why:
            at_work.say(str(why))
            mined = None
        if mined is not None:
            made, of = made + len(mined.drafts), of + 1
            at_work.say(f"{key}: {len(mined.drafts)} drafts")
        at_work.progress(done, len(ids))
    return Ending(note=f"{made} drafts of {of} panels wait for review" if made else "no claim that could be a task")

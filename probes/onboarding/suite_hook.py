"""Where the suite comes in: it is above this package, and is found by its kind of job, `suite-model`. The function that
the kind names is called within the onboarding's own job:

    for_model(at_work: JobAtWork, model: LanguageModel, *, gently: bool) -> str

It asks the model what it was not asked yet, keeps each answer as it comes and its own place with `keep_part`, checks
between tasks, and says in a sentence how it went. `gently` is for a free model, which has few calls a day: only as many
tasks as one scheduled pass asks.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from collections_app.models import LanguageModel
from probes.jobs.kinds import KINDS
from probes.jobs.work import JobAtWork, TimeUp
from probes.onboarding.grade import FREE_MARK

KIND: Final = "suite-model"
BEGAN: Final = "suite began"
LIMIT: Final = timedelta(hours=1)
NONE_HERE: Final = "there is no suite here; skipped"
OVER: Final = "stopped after an hour; what was answered is kept, and scheduled passes ask the rest"


def run_suite(at_work: JobAtWork, model: LanguageModel) -> str:
    """How it went. What was begun before a restart counts into the hour."""
    kind = KINDS.get(KIND)
    if kind is None:
        return NONE_HERE
    if (began := at_work.found(BEGAN)) is None:
        began = at_work.clock().isoformat()
        at_work.keep_part(BEGAN, began)
    until = datetime.fromisoformat(began) + LIMIT
    try:
        return str(kind.load()(at_work.within(until), model, gently=model.served.endswith(FREE_MARK)))
    except TimeUp:
        if at_work.clock() < until:
            raise  # the job's own limit
        return OVER

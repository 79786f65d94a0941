"""Where the suite comes in. The suite registers a kind of job under `suite-model`; the function it names is called
within the onboarding's own job:

    run(at_work: JobAtWork, model: LanguageModel, *, gently: bool) -> str

It asks the model what it was not asked yet, keeps each answer as it comes, and says in a sentence how it went. It keeps
its own place with `at_work.keep_part`, calls `at_work.check()` between tasks, and stops by itself within LIMIT_S of its
first call. `gently` is for a free model, which has few calls a day: only as many tasks as one scheduled pass asks.
"""

from __future__ import annotations

from typing import Final

from collections_app.models import LanguageModel
from probes.jobs.kinds import KINDS
from probes.jobs.work import JobAtWork
from probes.onboarding.grade import FREE_MARK

KIND: Final = "suite-model"
LIMIT_S: Final = 3_600.0
NONE_YET: Final = "the suite has no tasks yet; skipped"


def run_suite(at_work: JobAtWork, model: LanguageModel) -> str:
    """How it went."""
    kind = KINDS.get(KIND)
    if kind is None:
        return NONE_YET
    return str(kind.load()(at_work, model, gently=model.served.endswith(FREE_MARK)))

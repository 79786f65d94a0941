"""The kinds of background work. A kind names the function that does it; nothing else knows the functions.

The function takes the job at work (`probes.jobs.work.JobAtWork`) and returns how it ended (`Ending`). It must be able
to begin again at any step: what a finished step found is kept.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from msgspec import Struct

QUICK: Final = "quick"
LONG: Final = "long"


class Kind(Struct, frozen=True):
    """`does` is `module:function`, `queue` quick or long, `steps` the names of its steps in order where it has such.
    It is stopped after `limit_s` seconds of one claim."""

    label: str
    does: str
    queue: str = LONG
    steps: tuple[str, ...] = ()
    limit_s: float = 7_200.0

    def load(self) -> Any:
        """The function."""
        module, _, name = self.does.partition(":")
        return getattr(import_module(module), name)


KINDS: Final[dict[str, Kind]] = {
    "onboard": Kind(
        "Onboarding",
        "probes.onboarding.work:onboard",
        steps=("served", "registered", "described", "probed", "suite"),
        limit_s=10_800.0,
    ),
    "availability": Kind("Availability", "probes.health.sweeps:availability"),
    "speed": Kind("Speed", "probes.health.sweeps:speed"),
    "capabilities": Kind("Capabilities", "probes.health.sweeps:capabilities"),
    "fingerprints": Kind("Fingerprints", "probes.health.fingerprints:sweep"),
    "served": Kind("Served check", "probes.health.served_check:check", steps=("listed", "decided", "settled")),
    "question-types": Kind(
        "Types of question", "probes.onboarding.question_types:try_types", queue=QUICK, limit_s=300.0
    ),
    "retry": Kind("Asking again", "probes.health.retry:retry", queue=QUICK, limit_s=300.0),
    "standings": Kind("Standings made anew", "probes.rebuilds:standings"),
    "usage": Kind("Sums of usage made anew", "probes.rebuilds:usage"),
    "retention": Kind("Retention", "probes.retention:work", limit_s=21_600.0),
    "backup": Kind("Backup", "benchwarmers.backup.nightly:work"),
    "catalog": Kind("Catalog", "probes.catalog.refresh:run"),
    "suite": Kind("Suite", "suite.work:next_paid"),
    "suite-free": Kind("Suite, free models", "suite.work:next_free"),
    "suite-pass": Kind("Suite pass", "suite.work:asked_pass", limit_s=86_400.0),
    "suite-model": Kind("Suite of one model", "suite.work:for_model"),
    "suite-mine": Kind("Tasks of judged claims", "suite.mining_work:mine_all"),
    "suite-judge": Kind("Judging", "suite.judging.work:judge", limit_s=21_600.0),
}
"""By the name that jobs carry."""


def kind_of(name: str) -> Kind:
    """The kind of this name. Raises KeyError."""
    return KINDS[name]

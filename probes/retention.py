"""The nightly work of retention, as a job: it tells how far it is, is stopped on request, and goes on after a crash."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, OuterRef

from collections_app.models import Setting
from gateway.engine.retention import Rule, delete_old, kept_from
from gateway.engine.retention_rules import rules_of_gateway
from probes.jobs.work import Ending, JobAtWork
from probes.models import Fingerprint, Job, JobLine, ProbeSample

SAY_S: Final = 1.0
"""How often the job tells how far it is."""
JOBS: Final = 200
"""Jobs a transaction; each has its lines."""


def work(at_work: JobAtWork, rest: Callable[[float], object] = time.sleep) -> Ending:
    """Deletes what is too old by now. Begun again, it goes on with what is still there."""
    told_at = 0.0

    def between(done: int, of: int) -> None:
        nonlocal told_at
        at_work.check()
        if done == of or time.monotonic() - told_at > SAY_S:
            told_at = time.monotonic()
            at_work.progress(done, of)

    rules = every_rule(Setting.load(), at_work.clock())
    deleted = {thing: count for thing, count in delete_old(rules, between, rest).items() if count}
    for thing, count in deleted.items():
        at_work.say(f"{thing}: {count:,} rows")
    return Ending(note=f"{sum(deleted.values()):,} rows deleted" if deleted else "nothing was too old")


def every_rule(setting: Setting, now: datetime) -> list[Rule]:
    """Of all tables that grow with use."""
    rules = rules_of_gateway(setting, now)
    if setting.log_days:
        ended = Job.objects.filter(ended_at__lt=kept_from(now, setting.log_days))
        rules.append(Rule("jobs", ended, "pk", JOBS, _clear_jobs))
    if setting.sample_days:
        first = kept_from(now, setting.sample_days)
        rules.append(Rule("samples", _without_last(ProbeSample, first, "kind", "prompt", "answered")))
        rules.append(Rule("looks", _without_last(Fingerprint, first)))
    return rules


def _without_last(model: Any, first: datetime, *same: str) -> Any:
    """Rows before `first`, but for the last of each model that is the same in these columns: what is known of a model
    stays, however long nobody asked it."""
    columns = ("language_model", *same)
    later = model.objects.filter(at__gt=OuterRef("at"), **{name: OuterRef(name) for name in columns})
    return model.objects.filter(Exists(later), at__lt=first)


def _clear_jobs(jobs: Sequence[Any]) -> None:
    JobLine.objects.filter(job__in=jobs).delete()

"""The Celery tasks of this app: each hands over to the code that decides. The schedule's rows name their queue.

What calls out is imported when there is something to do: it brings an HTTP client and the engine, twenty megabytes that
beat and a worker of an installation without sign-ins and jobs have no use for.
"""

from __future__ import annotations

import os
import socket

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from collections_app.models import Alert, Setting, SignIn, SignInSession
from gateway.engine.batch_usage import day_of
from gateway.engine.recovery import close_lost_panels
from gateway.engine.trail import FOLDER
from gateway.engine.trail_left import take_up
from gateway.engine.usage_shares import fold_usage
from probes.jobs.run import run_job as work_on
from probes.jobs.store import enqueue as ask_for
from probes.jobs.sweep import sweep
from probes.schedule.enqueue import enqueue_due


@shared_task(name="probes.sweep_panels", ignore_result=True)
def sweep_panels() -> int:
    """Takes up what web processes had under way when they died, and closes panels that they left open; how many."""
    take_up(settings.BENCH.home / FOLDER)
    return close_lost_panels(f"{socket.gethostname()}/{os.getpid()}", timezone.now())


@shared_task(name="probes.delete_old", ignore_result=True)
def delete_old() -> bool:
    """Sums up the days that are over, and asks for the job that deletes what is older than it is to be kept, unless
    the last one still runs."""
    fold_usage(day_of(timezone.now()))
    return ask_for("retention", "all", now=timezone.now(), by="retention") is not None


@shared_task(name="probes.run_job", ignore_result=True)
def run_job(job_id: int) -> str:
    """Works on a job, if nobody else does; how it ended."""
    return work_on(job_id)


@shared_task(name="probes.sweep_jobs", ignore_result=True)
def sweep_jobs() -> int:
    """Rings again for jobs that are due and held by nobody, and asks for what the schedule missed; how many bells."""
    rung = sweep(timezone.now())
    enqueue_due(timezone.now())
    return rung


@shared_task(name="probes.enqueue", ignore_result=True)
def enqueue(kind: str) -> int:
    """Asks for the work of this kind that is due by the schedule, if its mode lets it; how many jobs."""
    return len(enqueue_due(timezone.now(), kind))


@shared_task(name="probes.tell_alerts", ignore_result=True)
def tell_alerts() -> int:
    """Sends new alerts out by e-mail and webhook, where the settings say so; how many."""
    setting = Setting.load()
    trouble = Alert.objects.filter(raiser="alerts").exists()  # of a way that may have been switched off since
    if not setting.alert_mail and not setting.alert_hook and not trouble:
        return 0
    from probes.alerts.telling import tell_alerts as tell

    return tell(timezone.now())


@shared_task(name="probes.tend_sign_ins", ignore_result=True)
def tend_sign_ins() -> int:
    """Asks about codes that may have been typed, goes on with what a dead process left, and renews what ends soon; how
    many it renewed."""
    if not SignIn.objects.exists() and not SignInSession.objects.exists():
        return 0
    from probes.sign_ins.desk import desk
    from probes.sign_ins.tend import tend

    return tend(desk())

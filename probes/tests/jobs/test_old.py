"""Ended jobs go with the logs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from collections_app.actions.setting import do_save_settings
from collections_app.models import Change
from probes.jobs import store_old
from probes.jobs.store_old import delete_old_jobs
from probes.models import Job, JobLine
from probes.tests.jobs.given import NOW, asked, do_nothing, known

pytestmark = pytest.mark.django_db


def test_jobs_that_ended_before_the_days_of_the_logs_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_old, "CHUNK", 2)
    with known(work=do_nothing):
        for days in range(8):
            job = asked("work", str(days))
            ended = None if days == 7 else NOW - timedelta(days=days, hours=1)
            Job.objects.filter(pk=job.pk).update(ended_at=ended, state="queued" if days == 7 else "done")
            JobLine.objects.create(job=job, at=NOW - timedelta(days=days), text="said")
    assert delete_old_jobs(NOW) == {"jobs": 0}
    do_save_settings(actor=None, log_days=3)
    assert delete_old_jobs(NOW) == {"jobs": 3}
    assert set(Job.objects.values_list("key", flat=True)) == {"0", "1", "2", "3", "7"}
    assert JobLine.objects.count() == 5
    assert Change.objects.filter(thing="retention", name="jobs").values_list("old", flat=True).get() == 3

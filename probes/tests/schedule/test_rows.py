"""The rows that an installation begins with."""

from __future__ import annotations

import pytest
from django.conf import settings
from django_celery_beat.models import PeriodicTask

from probes import tasks
from probes.schedule.rows import TASK, planned

pytestmark = pytest.mark.django_db
WANTED = {
    "availability": "daily at 05:00",
    "fingerprints": "daily at 05:30",
    "catalog": "daily at 06:00",
    "served": "daily at 08:00",
    "speed": "Monday at 07:00",
    "capabilities": "Sunday at 07:00",
}


def test_every_job_has_its_time_in_the_zone_of_the_server() -> None:
    found = {one.kind: one for one in planned() if one.kind in WANTED}
    assert {kind: one.times.words for kind, one in found.items() if one.times} == WANTED
    assert {str(one.row.crontab.timezone) for one in found.values()} == {settings.TIME_ZONE}
    assert all(one.on and one.row.queue == "quick" and one.row.description for one in found.values())


def test_the_rows_ask_for_a_task_that_there_is() -> None:
    assert tasks.enqueue.name == TASK
    assert PeriodicTask.objects.get(task=tasks.sweep_jobs.name).enabled
    assert tasks.enqueue.run("availability") == 0
    assert tasks.sweep_jobs.run() == 0

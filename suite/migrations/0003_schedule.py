"""The schedule's rows of the suite. With the schedule off, as it is at first, neither does anything."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ROWS = (
    ("suite-free", "Suite, free models", "6", "Up to six tasks for one free model: six calls a day."),
    ("suite", "Suite", "3,9,15,21", "Up to six tasks for one model that costs money, four times a day."),
)


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    crontabs = apps.get_model("django_celery_beat", "CrontabSchedule").objects
    rows = apps.get_model("django_celery_beat", "PeriodicTask").objects
    for kind, name, hour, description in ROWS:
        times = {"hour": hour, "minute": "0", "day_of_week": "*", "day_of_month": "*", "month_of_year": "*"}
        crontab, _ = crontabs.get_or_create(**times, timezone=settings.TIME_ZONE)
        rows.get_or_create(
            name=name,
            defaults={
                "task": "probes.enqueue",
                "args": json.dumps([kind]),
                "crontab": crontab,
                "queue": "quick",
                "expire_seconds": 600,
                "description": description,
            },
        )


class Migration(migrations.Migration):
    """Needs the schedule's own rows."""

    dependencies = (("probes", "0008_schedule_rows"), ("suite", "0002_rights"))

    operations = (migrations.RunPython(add_rows, migrations.RunPython.noop),)

"""The schedule's rows of operations. With the schedule off, as it is at first, none of them does anything."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ROWS = (
    ("availability", "Availability", "5", "0", "*", "Asks every model one short question: one call a model."),
    ("fingerprints", "Fingerprints", "5", "30", "*", "Asks what tells whether an alias is still the same model."),
    (
        "catalog",
        "Catalog",
        "6",
        "0",
        "*",
        "Reads the lists of models and the feeds, and what they say of prices. No call.",
    ),
    (
        "served",
        "Served check",
        "8",
        "0",
        "*",
        "Looks whether every model is still listed and answers, and retires what is gone: lists, and one call for each that seems gone.",
    ),
    (
        "speed",
        "Speed",
        "7",
        "0",
        "1",
        "Asks every model a short and a long question three times: six calls a model, two of a free one.",
    ),
    (
        "capabilities",
        "Capabilities",
        "7",
        "0",
        "0",
        "Tries tools, JSON, images and reasoning: a call for each and model.",
    ),
)


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    crontabs = apps.get_model("django_celery_beat", "CrontabSchedule").objects
    rows = apps.get_model("django_celery_beat", "PeriodicTask").objects
    for kind, name, hour, minute, weekday, description in ROWS:
        times = {"hour": hour, "minute": minute, "day_of_week": weekday, "day_of_month": "*", "month_of_year": "*"}
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
    """Needs the tables of jobs."""

    dependencies = (("probes", "0007_hub_connections"),)

    operations = (migrations.RunPython(add_rows, migrations.RunPython.noop),)

"""The schedule's row for retention: what is too old is deleted every night."""

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    nightly, _ = apps.get_model("django_celery_beat", "CrontabSchedule").objects.get_or_create(
        minute="20",
        hour="3",
        day_of_week="*",
        day_of_month="*",
        month_of_year="*",
        timezone=settings.TIME_ZONE,
    )
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Delete what is too old",
        defaults={
            "task": "probes.delete_old",
            "crontab": nightly,
            "queue": "long",
            "description": "Rows of the ledger and of the logs go after the days that the settings say; none by default.",
        },
    )


class Migration(migrations.Migration):
    """Needs the schedule's first row."""

    dependencies = [("probes", "0001_schedule")]

    operations = [migrations.RunPython(add_rows, migrations.RunPython.noop)]

"""The schedule's row for backups: asked for every hour, made once a day where a folder is named."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_row(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """It can be edited afterwards; a second run changes nothing."""
    hourly, _ = apps.get_model("django_celery_beat", "IntervalSchedule").objects.get_or_create(every=1, period="hours")
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Back up",
        defaults={
            "task": "benchwarmers.back_up",
            "interval": hourly,
            "queue": "quick",
            "expire_seconds": 600,
            "description": "Asks for a backup once a day, if BENCHWARMERS_BACKUP_FOLDER names a folder for them.",
        },
    )


class Migration(migrations.Migration):
    """Needs the schedule's other rows."""

    dependencies = [("probes", "0011_by_age")]

    operations = [migrations.RunPython(add_row, migrations.RunPython.noop)]

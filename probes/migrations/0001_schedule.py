"""The schedule's first row: panels that a dead process left open are closed every minute."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    interval, _ = apps.get_model("django_celery_beat", "IntervalSchedule").objects.get_or_create(
        every=1, period="minutes"
    )
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Close lost panels",
        defaults={
            "task": "probes.sweep_panels",
            "interval": interval,
            "queue": "quick",
            "description": "A panel whose process is gone is marked as interrupted; what had finished stays.",
        },
    )


class Migration(migrations.Migration):
    """Needs the tables of django-celery-beat."""

    dependencies = [("django_celery_beat", "0019_alter_periodictasks_options")]

    operations = [migrations.RunPython(add_rows, migrations.RunPython.noop)]

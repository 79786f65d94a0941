"""The schedule's row that sends alerts out, every minute, where the settings name somebody."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    interval, _ = apps.get_model("django_celery_beat", "IntervalSchedule").objects.get_or_create(
        every=1, period="minutes"
    )
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Send alerts out",
        defaults={
            "task": "probes.tell_alerts",
            "interval": interval,
            "queue": "quick",
            "expire_seconds": 60,
            "description": "New alerts go to the e-mail addresses and the webhook of the settings; to nobody by default.",
        },
    )


class Migration(migrations.Migration):
    dependencies = [("probes", "0004_operation_rights")]

    operations = [migrations.RunPython(add_rows, migrations.RunPython.noop)]

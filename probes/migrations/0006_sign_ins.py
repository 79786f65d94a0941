"""The schedule's row that tends sign-ins to providers."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    interval, _ = apps.get_model("django_celery_beat", "IntervalSchedule").objects.get_or_create(
        every=10, period="seconds"
    )
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Tend sign-ins",
        defaults={
            "task": "probes.tend_sign_ins",
            "interval": interval,
            "queue": "quick",
            "expire_seconds": 10,
            "description": "Renews sign-ins to providers that end within five minutes, and asks about typed codes.",
        },
    )


class Migration(migrations.Migration):
    """Needs the tables of django-celery-beat."""

    dependencies = (("probes", "0005_alerts_told"),)
    operations = (migrations.RunPython(add_rows, migrations.RunPython.noop),)

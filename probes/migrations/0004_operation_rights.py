"""Lets curators run operations, everybody of the team see how models do, and admins all of it; and the schedule's row that
sweeps jobs."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

VERBS = ("view", "add", "change", "delete")
NEW = {
    "collections_app": ("alert", "ownapp", "signin", "signinsession"),
    "probes": (
        "connectionfact",
        "dismissal",
        "feed",
        "fingerprint",
        "job",
        "jobline",
        "offer",
        "onboardingissue",
        "ownappprovider",
        "probesample",
        "served",
        "slot",
    ),
}
VIEWER = {f"view_{name}" for name in ("alert", "fingerprint", "offer", "probesample", "served")}
CURATOR = {
    *VIEWER,
    *(f"view_{name}" for name in ("feed", "job", "jobline", "onboardingissue", "signin", "slot")),
    *(f"{verb}_{name}" for verb in VERBS for name in ("connectionfact", "dismissal", "ownappprovider")),
    *("add_job", "change_job", "change_alert", "change_offer"),
}


def give_rights(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Permissions normally appear after the last migration of a run; here they are needed now, so they are made first."""
    for label in NEW:
        config = apps.get_app_config(label)
        config.models_module = True  # type: ignore[assignment]  # a stub has none, and would be passed over
        create_permissions(config, apps=apps, verbosity=0)
        config.models_module = None
    permissions = apps.get_model("auth", "Permission").objects
    groups = apps.get_model("auth", "Group").objects
    for label, models in NEW.items():
        ours = permissions.filter(content_type__app_label=label, content_type__model__in=models)
        groups.get_or_create(name="admin")[0].permissions.add(*ours)
        groups.get_or_create(name="curator")[0].permissions.add(*ours.filter(codename__in=CURATOR))
        for name in ("viewer", "caller"):
            groups.get_or_create(name=name)[0].permissions.add(*ours.filter(codename__in=VIEWER))


def add_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows can be edited afterwards; a second run changes nothing."""
    interval, _ = apps.get_model("django_celery_beat", "IntervalSchedule").objects.get_or_create(
        every=10, period="seconds"
    )
    apps.get_model("django_celery_beat", "PeriodicTask").objects.get_or_create(
        name="Sweep jobs",
        defaults={
            "task": "probes.sweep_jobs",
            "interval": interval,
            "queue": "quick",
            "expire_seconds": 10,
            "description": "Rings for background work that is due and that nobody works on.",
        },
    )


class Migration(migrations.Migration):
    """Needs the tables of operations."""

    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("collections_app", "0009_operations"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("gateway", "0011_usage_rights"),
        ("probes", "0003_operations"),
    )
    operations = (
        migrations.RunPython(give_rights, migrations.RunPython.noop),
        migrations.RunPython(add_rows, migrations.RunPython.noop),
    )

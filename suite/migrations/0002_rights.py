"""Lets everybody of the team see the suite's results, curators keep its tasks and run it, and admins all of it."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

MODELS = ("attempt", "judgement", "judgetrial", "score", "suitepass", "task", "taskversion")
VIEWER = {f"view_{name}" for name in MODELS}
CURATOR = {*VIEWER, *("add_task", "change_task", "add_taskversion", "add_suitepass", "change_suitepass")}


def give_rights(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Permissions normally appear after the last migration of a run; here they are needed now, so they are made first."""
    config = apps.get_app_config("suite")
    config.models_module = True  # type: ignore[assignment]  # a stub has none, and would be passed over
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    ours = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="suite")
    groups = apps.get_model("auth", "Group").objects
    groups.get_or_create(name="admin")[0].permissions.add(*ours)
    groups.get_or_create(name="curator")[0].permissions.add(*ours.filter(codename__in=CURATOR))
    for name in ("viewer", "caller"):
        groups.get_or_create(name=name)[0].permissions.add(*ours.filter(codename__in=VIEWER))


class Migration(migrations.Migration):
    """Needs the tables of the suite."""

    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("gateway", "0011_usage_rights"),
        ("suite", "0001_initial"),
    )
    operations = (migrations.RunPython(give_rights, migrations.RunPython.noop),)

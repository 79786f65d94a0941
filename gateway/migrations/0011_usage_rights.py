"""Lets curators see usage, quotas and teams and set the limits of connections, and admins all of it."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

VERBS = ("view", "add", "change", "delete")
NEW = {
    "collections_app": ("connectionlimit", "invitation", "keybudget", "serviceaccount", "team"),
    "gateway": ("keyspend", "quota", "reading", "usageday"),
}
CURATOR = {
    *(f"{verb}_connectionlimit" for verb in VERBS),
    *(f"view_{name}" for name in ("keyspend", "quota", "team", "usageday")),
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


class Migration(migrations.Migration):
    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("collections_app", "0008_people_and_budgets"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("gateway", "0010_usage_and_quotas"),
    )
    operations = (migrations.RunPython(give_rights, migrations.RunPython.noop),)

"""Lets the groups see decision models, and curators and admins change them."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ALL = ("view", "add", "change", "delete")
MAY = {"viewer": ("view",), "caller": ("view",), "curator": ALL, "admin": ALL}


def give_rights(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Permissions normally appear after the last migration of a run; here they are needed now, so they are made first."""
    config = apps.get_app_config("collections_app")
    config.models_module = True  # type: ignore[assignment]  # a stub has none, and would be passed over
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="collections_app")
    for name, verbs in MAY.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(*permissions.filter(codename__in=[f"{verb}_decisionmodel" for verb in verbs]))


class Migration(migrations.Migration):
    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("collections_app", "0005_decision_models"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("gateway", "0002_groups"),
    )
    operations = (migrations.RunPython(give_rights, migrations.RunPython.noop),)

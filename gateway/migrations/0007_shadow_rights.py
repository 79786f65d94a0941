"""Lets curators and admins see shadows, as they see conversations."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

MAY = {
    "curator": ("view_shadow",),
    "admin": ("view_shadow", "add_shadow", "change_shadow", "delete_shadow"),
}


def give_rights(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Permissions normally appear after the last migration of a run; here they are needed now, so they are made first."""
    config = apps.get_app_config("gateway")
    config.models_module = True  # type: ignore[assignment]  # a stub has none, and would be passed over
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="gateway")
    for name, codenames in MAY.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(*permissions.filter(codename__in=codenames))


class Migration(migrations.Migration):
    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("gateway", "0006_shadows"),
    )
    operations = (migrations.RunPython(give_rights, migrations.RunPython.noop),)

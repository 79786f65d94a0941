"""Makes the four groups and gives them their permissions: viewer, caller, curator and admin, each with all of the one before."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

LOOKED_AT = (
    "aliashistory",
    "collection",
    "endpoint",
    "evidence",
    "fact",
    "languagemodel",
    "seating",
    "setting",
    "standing",
)
CURATED = ("collection", "endpoint", "fact", "languagemodel", "seating", "secret", "setting")
SUPERVISED = ("call", "cooldown", "panel", "seat")

VIEWER = {("collections_app", f"view_{model}") for model in LOOKED_AT}
CALLER = VIEWER | {("gateway", "ask"), ("gateway", "judge")}
CURATOR = (
    CALLER
    | {("collections_app", f"{verb}_{model}") for verb in ("view", "add", "change", "delete") for model in CURATED}
    | {("collections_app", "view_change"), ("collections_app", "view_verdict")}
    | {("gateway", f"view_{model}") for model in SUPERVISED}
    | {("gateway", "view_all_panels")}
)


def make_groups(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Permissions normally appear after the last migration of a run; here they are needed now, so they are made first."""
    for label in ("auth", "collections_app", "gateway"):
        config = apps.get_app_config(label)
        config.models_module = True  # type: ignore[assignment]  # a stub has none, and would be passed over
        create_permissions(config, apps=apps, verbosity=0)
        config.models_module = None
    permissions = apps.get_model("auth", "Permission")
    groups = apps.get_model("auth", "Group")
    by_name = {
        (label, codename): key
        for key, label, codename in permissions.objects.filter(
            content_type__app_label__in=("auth", "collections_app", "gateway")
        ).values_list("id", "content_type__app_label", "codename")
    }
    for name, wanted in (("viewer", VIEWER), ("caller", CALLER), ("curator", CURATOR), ("admin", set(by_name))):
        group, _ = groups.objects.get_or_create(name=name)
        group.permissions.add(*(by_name[one] for one in sorted(wanted)))


class Migration(migrations.Migration):
    dependencies = (
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("collections_app", "0001_initial"),
        ("gateway", "0001_initial"),
    )
    operations = (migrations.RunPython(make_groups, migrations.RunPython.noop),)

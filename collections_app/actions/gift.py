"""Who may do everything, and what nobody may give away: rights they do not have."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q, QuerySet

from collections_app.models import ServiceAccount
from collections_app.refusal import Problems

ADMIN = "admin"


def admins() -> QuerySet[User]:
    """People who may do everything and can sign in."""
    everything = Q(is_superuser=True) | Q(groups__name=ADMIN)
    return (
        User.objects.filter(everything, is_active=True).exclude(pk__in=ServiceAccount.objects.values("user")).distinct()
    )


def check_gift(actor: User | None, groups: Iterable[Group], field: str, problems: Problems) -> None:
    """A reason for each group that may more than the giver. The installation itself and superusers may give all."""
    if actor is None or actor.is_superuser:
        return
    own = actor.get_all_permissions()
    for group in groups:
        permissions = Permission.objects.filter(group=group).values_list("content_type__app_label", "codename")
        if not {f"{label}.{codename}" for label, codename in permissions} <= own:
            problems.add(field, f"The group {group.name} may more than you; ask somebody who is in it.")

"""Service accounts in the admin: seen. They are made and changed on their own pages."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin_base import ReadOnlyAdmin
from collections_app.models import ServiceAccount


@admin.register(ServiceAccount)
class ServiceAccountAdmin(ReadOnlyAdmin):
    """Users for programs."""

    list_display = ("user", "about", "in_groups", "is_active", "made_by", "created_at")
    list_select_related = ("user", "made_by")
    search_fields = ("user__username", "about")

    @admin.display(description="groups")
    def in_groups(self, obj: ServiceAccount) -> str:
        return ", ".join(obj.user.groups.values_list("name", flat=True))

    @admin.display(description="active", boolean=True)
    def is_active(self, obj: ServiceAccount) -> bool:
        return obj.user.is_active

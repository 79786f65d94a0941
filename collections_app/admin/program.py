"""Service accounts in the admin: seen. They are made and changed on their own pages."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from collections_app.admin_base import ReadOnlyAdmin
from collections_app.models import ServiceAccount


@admin.register(ServiceAccount)
class ServiceAccountAdmin(ReadOnlyAdmin):
    """Users for programs."""

    list_display = ("user", "about", "in_groups", "is_active", "made_by", "created_at")
    list_select_related = ("user", "made_by")
    thing, told_as = "service account", ""
    search_fields = ("user__username", "about")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ServiceAccount]:
        rows: QuerySet[ServiceAccount] = super().get_queryset(request)
        return rows.prefetch_related("user__groups")

    @admin.display(description="groups")
    def in_groups(self, obj: ServiceAccount) -> str:
        return ", ".join(sorted(group.name for group in obj.user.groups.all()))

    @admin.display(description="active", boolean=True)
    def is_active(self, obj: ServiceAccount) -> bool:
        return obj.user.is_active

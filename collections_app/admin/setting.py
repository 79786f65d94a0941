"""The installation's settings in the admin: one row, to be changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.actions.setting import do_save_settings
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import Setting


class SettingForm(ActionForm):
    """Every setting, each with its bounds."""

    class Meta:
        model = Setting
        fields = (
            *("max_calls", "max_explorers", "scheduler", "picker", "half_life_days"),
            *("ledger_days", "work_days", "sample_days", "log_days", "auto_retire", "alert_mail", "alert_hook"),
        )

    def act(self) -> Model:
        return do_save_settings(actor=self.actor, **self.cleaned_data)


@admin.register(Setting)
class SettingAdmin(ActionAdmin):
    """The row is made when it is first looked at."""

    form = SettingForm
    thing, told_as = "settings", ""
    list_display = ("__str__", "max_calls", "max_explorers", "scheduler", "picker")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Setting]:
        Setting.load()
        rows: QuerySet[Setting] = super().get_queryset(request)
        return rows

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

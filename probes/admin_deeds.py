"""What people may do in the admin about models and alerts beside what the catalogue offers, by the pages' actions."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from collections_app.actions.alert import do_settle_alert
from collections_app.admin.language_model import LanguageModelAdmin
from collections_app.admin_asks import asks
from collections_app.admin_base import ReadOnlyAdmin, act_on_each, actor_of
from collections_app.models import Alert, LanguageModel
from collections_app.refusal import Refused
from probes.actions import do_retry_model

ASKED = "Asked again, as jobs"

admin.site.unregister(LanguageModel)  # the catalogue knows no jobs, so what starts one is added here


@admin.register(LanguageModel)
class AskedModelAdmin(LanguageModelAdmin):
    """Models of the catalogue, which may be asked whether they answer."""

    actions = ("ask_again", *LanguageModelAdmin.actions)

    def has_ask_again_permission(self, request: HttpRequest) -> bool:
        """As on the pages: who may start work."""
        return request.user.has_perm("probes.add_job")

    @admin.action(description="Ask again", permissions=["ask_again"])
    def ask_again(self, request: HttpRequest, chosen: QuerySet[LanguageModel]) -> None:
        actor = actor_of(request)
        act_on_each(self, request, chosen, lambda row: do_retry_model(actor=actor, alias=row.alias), ASKED)


@admin.register(Alert)
class AlertAdmin(ReadOnlyAdmin):
    """What needs somebody's action."""

    list_display = ("first_seen", "kind", "message", "language_model", "endpoint", "connection", "last_seen", "raiser")
    list_filter = ("kind", "raiser")
    list_select_related = ("language_model", "endpoint")
    search_fields = ("message", "language_model__alias", "endpoint__name", "connection")
    ordering = ("-first_seen", "-id")
    actions = ("ask_again", "settle")

    def has_ask_again_permission(self, request: HttpRequest) -> bool:
        """As on the pages: who may start work."""
        return request.user.has_perm("probes.add_job")

    def has_settle_permission(self, request: HttpRequest) -> bool:
        """Who may change alerts, which nobody else can in any other way."""
        return request.user.has_perm("collections_app.change_alert")

    @admin.action(description="Ask the model again", permissions=["ask_again"])
    def ask_again(self, request: HttpRequest, chosen: QuerySet[Alert]) -> None:
        actor = actor_of(request)

        def ask(row: Alert) -> None:
            if row.language_model is None:
                raise Refused([("", "This alert is not about one model.")])
            do_retry_model(actor=actor, alias=row.language_model.alias)

        act_on_each(self, request, chosen, ask, ASKED)

    @admin.action(description="Settle", permissions=["settle"])
    @asks("Settle these alerts? One that still holds is back when it is looked at the next time.")
    def settle(self, request: HttpRequest, chosen: QuerySet[Alert]) -> None:
        actor = actor_of(request)
        act_on_each(self, request, chosen, lambda row: do_settle_alert(actor=actor, alert=row), "Settled")

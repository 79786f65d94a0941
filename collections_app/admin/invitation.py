"""Invitations in the admin: seen and taken back. They are made on their own page, which shows the link once."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from collections_app.actions.invitation import do_revoke_invitation, state_of
from collections_app.admin_asks import asks
from collections_app.admin_base import ReadOnlyAdmin, act_on_each, actor_of
from collections_app.models import Invitation


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Who was invited to what, by whom, and what became of it."""

    list_display = ("email", "group", "team", "made_by", "created_at", "expires_at", "state", "used_by")
    list_filter = ("group", "team")
    list_select_related = ("team", "made_by", "used_by")
    search_fields = ("email", "made_by__username", "used_by__username")
    exclude = ("digest",)
    actions = ("take_back",)

    def has_take_back_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("collections_app.change_invitation"))

    @admin.display(description="state")
    def state(self, obj: Invitation) -> str:
        return state_of(obj, timezone.now())

    @admin.action(description="Take back", permissions=["take_back"])
    @asks("Take these invitations back? Their links lead nowhere from then on.")
    def take_back(self, request: HttpRequest, chosen: QuerySet[Invitation]) -> None:
        actor, now = actor_of(request), timezone.now()
        act_on_each(
            self,
            request,
            chosen,
            lambda row: do_revoke_invitation(actor=actor, number=row.pk, now=now),
            "Taken back",
        )

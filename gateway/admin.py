"""Panels, conversations, shadows, calls and cooldowns in the admin: to be looked at."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin_base import ReadOnlyAdmin, ReadOnlyInline
from gateway.models import Call, Conversation, Cooldown, Panel, Seat, Shadow, Turn


class SeatInline(ReadOnlyInline):
    """The seats of a panel, in order."""

    model = Seat
    fields = ("place", "label", "alias", "why", "status", "answer", "error", "tokens_in", "tokens_out", "seconds")
    readonly_fields = fields
    ordering = ("place",)
    show_change_link = True


@admin.register(Panel)
class PanelAdmin(ReadOnlyAdmin):
    """One request and all its answers."""

    list_display = ("id", "started_at", "caller", "collection_name", "reply", "shape", "state")
    list_filter = ("state", "reply", "shape", "collection_name")
    search_fields = ("id", "caller", "collection_name", "prompt")
    date_hierarchy = "started_at"
    inlines = (SeatInline,)


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    """One answer."""

    list_display = ("call", "label", "alias", "connection", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status", "label", "failure")
    search_fields = ("call", "alias", "error")


class TurnInline(ReadOnlyInline):
    """The turns of a conversation, newest first, a page at a time."""

    model = Turn
    fields = (
        *("number", "at", "alias", "status", "seconds", "tool_calls", "finish", "tried", "error"),
        *("tokens_in", "tokens_out"),
    )
    readonly_fields = fields
    ordering = ("-id",)
    per_page = 100


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    """What one member after another answered in route mode."""

    list_display = ("id", "last_at", "caller", "collection_name", "protocol", "task")
    list_filter = ("protocol", "collection_name")
    search_fields = ("id", "caller", "collection_name", "task")
    date_hierarchy = "last_at"
    inlines = (TurnInline,)


@admin.register(Shadow)
class ShadowAdmin(ReadOnlyAdmin):
    """What another model would have done at a turn, beside what the member did."""

    list_display = ("call", "at", "alias", "member", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status", "conversation__collection_name")
    search_fields = ("call", "alias", "member", "why", "error")
    date_hierarchy = "at"


@admin.register(Call)
class CallAdmin(ReadOnlyAdmin):
    """The ledger."""

    list_display = ("at", "alias", "connection", "caller", "purpose", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status", "purpose", "connection", "failure")
    search_fields = ("alias", "served", "caller", "seat")
    date_hierarchy = "at"


@admin.register(Cooldown)
class CooldownAdmin(ReadOnlyAdmin):
    """Who must rest, until when."""

    list_display = ("language_model", "until", "stated", "why")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "why")

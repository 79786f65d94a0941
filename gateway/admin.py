"""Panels, conversations, shadows, calls and their sums, quotas, cooldowns and readings in the admin: to be seen."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin_base import ReadOnlyAdmin, ReadOnlyInline
from gateway.models import (
    Call,
    Conversation,
    Cooldown,
    KeySpend,
    Panel,
    Quota,
    Reading,
    Seat,
    Shadow,
    Turn,
    UsageDay,
)


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


@admin.register(Quota)
class QuotaAdmin(ReadOnlyAdmin):
    """What providers said is left."""

    list_display = ("connection", "alias", "metric", "window", "remaining", "limit", "reset_at", "observed_at")
    list_filter = ("metric", "window", "connection")
    search_fields = ("connection", "alias", "quota")


@admin.register(UsageDay)
class UsageDayAdmin(ReadOnlyAdmin):
    """The ledger's sums."""

    list_display = ("day", "caller", "collection_name", "alias", "connection", "purpose", "requests", "calls", "cost")
    list_filter = ("purpose", "connection", "collection_name")
    search_fields = ("caller", "alias", "collection_name")
    date_hierarchy = "day"


@admin.register(KeySpend)
class KeySpendAdmin(ReadOnlyAdmin):
    """What keys have used of their budgets."""

    list_display = ("key", "unit", "period", "start", "spent")
    list_filter = ("unit", "period")
    list_select_related = ("key",)
    search_fields = ("key__name",)


@admin.register(Reading)
class ReadingAdmin(ReadOnlyAdmin):
    """Who looked at the answers of somebody else."""

    list_display = ("at", "reader_name", "address", "thing", "name", "owner_name")
    list_filter = ("thing",)
    search_fields = ("reader_name", "owner_name", "name")
    date_hierarchy = "at"

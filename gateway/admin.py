"""Panels, conversations, shadows, calls and their sums, quotas, cooldowns and readings in the admin: to be seen. Of
what grows without end the newest are listed.
"""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin.evidence import collection_names
from collections_app.admin_base import ReadOnlyAdmin, ReadOnlyInline
from collections_app.admin_big import BigTableAdmin, filter_by
from collections_app.models import Endpoint
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

OF_COLLECTION = filter_by("collection_name", "collection", collection_names)
OF_CONNECTION = filter_by("connection", "connection", lambda: Endpoint.objects.values_list("name", flat=True))


class SeatInline(ReadOnlyInline):
    """The seats of a panel, in order."""

    model = Seat
    fields = ("place", "label", "alias", "why", "status", "answer", "error", "tokens_in", "tokens_out", "seconds")
    readonly_fields = fields
    ordering = ("place",)
    show_change_link = True


@admin.register(Panel)
class PanelAdmin(BigTableAdmin):
    """One request and all its answers."""

    newest_by = "started_at"
    list_display = ("id", "started_at", "caller", "collection_name", "reply", "shape", "state")
    list_filter = ("state", "reply", "shape", OF_COLLECTION)
    search_fields = ("id", "caller", "collection_name", "prompt")
    inlines = (SeatInline,)


@admin.register(Seat)
class SeatAdmin(BigTableAdmin):
    """One answer."""

    newest_by = "panel__started_at"
    ordering = ("-panel__started_at", "place")
    list_display = ("call", "label", "alias", "connection", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status",)
    search_fields = ("call", "alias", "failure", "error")


class TurnInline(ReadOnlyInline):
    """The turns of a conversation, newest first, a page at a time."""

    model = Turn
    fields = (
        *("number", "at", "alias", "status", "seconds", "tool_calls", "finish", "tried", "error"),
        *("tokens_in", "tokens_out"),
    )
    readonly_fields = fields
    ordering = ("-id",)


@admin.register(Conversation)
class ConversationAdmin(BigTableAdmin):
    """What one member after another answered in route mode."""

    newest_by = "last_at"
    list_display = ("id", "last_at", "caller", "collection_name", "protocol", "task")
    list_filter = (OF_COLLECTION,)
    search_fields = ("id", "caller", "collection_name", "protocol", "task")
    inlines = (TurnInline,)


@admin.register(Shadow)
class ShadowAdmin(BigTableAdmin):
    """What another model would have done at a turn, beside what the member did."""

    newest_by = "conversation__last_at"
    ordering = ("-conversation__last_at", "call")
    list_display = ("call", "at", "alias", "member", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status",)
    search_fields = ("call", "alias", "member", "why", "error")


@admin.register(Call)
class CallAdmin(BigTableAdmin):
    """The ledger."""

    list_display = ("at", "alias", "connection", "caller", "purpose", "status", "tokens_in", "tokens_out", "seconds")
    list_filter = ("status", OF_CONNECTION)
    search_fields = ("alias", "served", "caller", "seat", "purpose", "failure")


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
class UsageDayAdmin(BigTableAdmin):
    """The ledger's sums."""

    list_display = ("day", "caller", "collection_name", "alias", "connection", "purpose", "requests", "calls", "cost")
    list_filter = (OF_CONNECTION, OF_COLLECTION)
    search_fields = ("caller", "alias", "collection_name", "purpose")


@admin.register(KeySpend)
class KeySpendAdmin(ReadOnlyAdmin):
    """What keys have used of their budgets."""

    list_display = ("key", "unit", "period", "start", "spent")
    list_filter = ("unit", "period")
    list_select_related = ("key",)
    search_fields = ("key__name",)


@admin.register(Reading)
class ReadingAdmin(BigTableAdmin):
    """Who looked at the answers of somebody else."""

    list_display = ("at", "reader_name", "address", "thing", "name", "owner_name")
    search_fields = ("reader_name", "owner_name", "thing", "name")

"""Evidence, verdicts, standings and the change log in the admin: to be looked at and searched."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin_base import ReadOnlyAdmin
from collections_app.models import Change, Evidence, Standing, Verdict


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    """What the models did."""

    list_display = ("at", "language_model", "collection_name", "kind", "shape", "status", "useful", "judges", "current")
    list_filter = ("current", "kind", "shape", "status", "collection_name")
    list_select_related = ("language_model",)
    search_fields = ("call", "task", "language_model__alias")
    date_hierarchy = "at"


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    """What people said of it."""

    list_display = ("at", "judge_name", "call", "useful", "note")
    list_filter = ("useful", "judge_name")
    search_fields = ("call", "note", "judge_name")


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    """What it comes to."""

    list_display = ("language_model", "offloads", "judged", "useful", "last_work_at")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias",)


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    """Who changed what, and when."""

    list_display = ("at", "actor_name", "thing", "name", "field", "old", "new")
    list_filter = ("thing", "actor_name")
    search_fields = ("name", "field", "actor_name", "thing")
    date_hierarchy = "at"

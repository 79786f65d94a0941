"""Evidence, verdicts, standings and the change log in the admin: to be looked at and searched."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet, Value
from django.http import HttpRequest
from django.utils import timezone

from collections_app.admin_base import ReadOnlyAdmin
from collections_app.admin_big import BigTableAdmin, filter_by
from collections_app.decay import Lately
from collections_app.intervals import Interval, credible, wilson
from collections_app.models import Change, Collection, Evidence, Standing, Verdict
from collections_app.standings_store import half_life_days

THINGS = (
    *(
        "alert",
        "alias",
        "claim",
        "collection",
        "connection",
        "decision model",
        "endpoint",
        "invitation",
        "job",
        "key",
        "limit",
    ),
    *("model", "person", "provider", "schedule", "secret", "service account", "session", "settings", "team", "verdict"),
)
"""What the change log tells of."""


def collection_names() -> list[str]:
    """Those there are; what was asked of others is found by searching."""
    return list(Collection.objects.order_by("name").values_list("name", flat=True))


@admin.register(Evidence)
class EvidenceAdmin(BigTableAdmin):
    """What the models did."""

    list_display = ("at", "language_model", "collection_name", "kind", "shape", "status", "useful", "judges", "current")
    list_filter = ("current", filter_by("collection_name", "collection", collection_names))
    list_select_related = ("language_model",)
    search_fields = ("call", "task", "kind", "shape", "status", "language_model__alias")


@admin.register(Verdict)
class VerdictAdmin(BigTableAdmin):
    """What people said of it."""

    list_display = ("at", "judge_name", "call", "useful", "blind", "note")
    list_filter = ("useful", "blind")
    search_fields = ("call", "note", "judge_name")


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    """What it comes to."""

    list_display = (
        *("language_model", "collection_name", "shape", "offloads", "judged", "useful", "share_useful"),
        *("lately", "real_claims", "false_claims", "last_work_at"),
    )
    list_filter = (filter_by("collection_name", "collection", collection_names), "shape")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Standing]:
        rows: QuerySet[Standing] = super().get_queryset(request)
        return rows.annotate(half_life=Value(half_life_days()))

    @admin.display(description="useful share, with its interval")
    def share_useful(self, row: Standing) -> str:
        found = wilson(row.useful, row.judged)
        return _percent(found) if found else ""

    @admin.display(description="believed lately")
    def lately(self, row: Standing) -> str:
        if row.lately_at is None:
            return ""
        half_life: float = row.half_life  # type: ignore[attr-defined]  # annotated above
        sums = Lately(row.lately_useful, row.lately_judged, row.lately_at).told_at(timezone.now(), half_life)
        return _percent(credible(sums.useful, sums.not_useful))


def _percent(found: Interval) -> str:
    return f"{found.share:.0%} ({found.low:.0%} to {found.high:.0%})"


@admin.register(Change)
class ChangeAdmin(BigTableAdmin):
    """Who changed what, and when."""

    list_display = ("at", "actor_name", "thing", "name", "field", "old", "new")
    list_filter = (filter_by("thing", "thing", lambda: THINGS),)
    search_fields = ("name", "field", "actor_name", "thing")
    exclude = ("address",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Change]:
        """Sign-ins tell of people: they are for those who may see the readings, and addresses stand on our own page."""
        rows: QuerySet[Change] = super().get_queryset(request)
        return rows if request.user.has_perm("gateway.view_reading") else rows.exclude(thing="session")

"""Background work and what it found, in the admin: to be seen. What people may do about it, they do on its pages."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin_base import ReadOnlyAdmin, ReadOnlyInline
from collections_app.admin_big import BigTableAdmin, filter_by
from probes import admin_deeds
from probes.jobs.kinds import KINDS
from probes.models import (
    ConnectionFact,
    Dismissal,
    Feed,
    Fingerprint,
    Job,
    JobLine,
    Offer,
    OnboardingIssue,
    OwnAppProvider,
    ProbeSample,
    Served,
    Slot,
)

__all__ = ["admin_deeds"]  # found by being imported


class JobLineInline(ReadOnlyInline):
    """The end of the output, the newest line first; all of it is on the job's own page."""

    model = JobLine
    fields = ("at", "step", "text")
    readonly_fields = fields
    ordering = ("-id",)


@admin.register(Job)
class JobAdmin(BigTableAdmin):
    """One piece of background work."""

    list_display = ("id", "kind", "key", "state", "lane", "by", "created_at", "ended_at", "note")
    list_filter = ("state", filter_by("kind", "kind", lambda: KINDS))
    search_fields = ("key", "note", "by", "lane", "batch")
    inlines = (JobLineInline,)


@admin.register(JobLine)
class JobLineAdmin(BigTableAdmin):
    """All output, to be searched."""

    list_display = ("at", "job", "step", "text")
    list_select_related = ("job",)
    search_fields = ("text", "job__key")


@admin.register(Slot)
class SlotAdmin(ReadOnlyAdmin):
    """Up to when the schedule is counted."""

    list_display = ("kind", "counted_to")
    search_fields = ("kind",)


@admin.register(ProbeSample)
class ProbeSampleAdmin(BigTableAdmin):
    """One question to one model, and what came."""

    list_display = ("at", "language_model", "kind", "prompt", "answered", "passed", "failure", "seconds")
    list_filter = ("answered", "failure")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "kind", "prompt", "detail")


@admin.register(OnboardingIssue)
class OnboardingIssueAdmin(ReadOnlyAdmin):
    """Where taking a model on stood still."""

    list_display = ("language_model", "at", "step", "failure", "detail")
    list_filter = ("step", "failure")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "detail")


@admin.register(Fingerprint)
class FingerprintAdmin(BigTableAdmin):
    """What a model said to the questions that tell it apart."""

    list_display = ("at", "language_model", "served_as", "distance", "changed")
    list_filter = ("changed",)
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "served_as")


@admin.register(Served)
class ServedAdmin(BigTableAdmin):
    """What endpoints list."""

    list_display = ("endpoint", "served", "first_seen", "last_seen", "first_missing")
    list_filter = ("endpoint",)
    list_select_related = ("endpoint",)
    search_fields = ("served", "endpoint__name")


@admin.register(Dismissal)
class DismissalAdmin(ReadOnlyAdmin):
    """What is not to be offered again."""

    list_display = ("endpoint", "served", "at", "by")
    list_select_related = ("endpoint",)
    search_fields = ("served", "by")


@admin.register(Feed)
class FeedAdmin(ReadOnlyAdmin):
    """The lists of others, and when each was fetched."""

    list_display = ("name", "fetched_at", "tried_at", "trouble", "shipped")
    search_fields = ("name", "trouble")


@admin.register(Offer)
class OfferAdmin(BigTableAdmin):
    """What providers offer, as the feeds say."""

    list_display = ("provider", "name", "served", "free", "context_window", "seen_at")
    list_filter = ("free",)
    search_fields = ("provider", "name", "served")


@admin.register(ConnectionFact)
class ConnectionFactAdmin(ReadOnlyAdmin):
    """What is known of a connection."""

    list_display = ("connection", "paid", "models_dev")
    search_fields = ("connection", "models_dev")


@admin.register(OwnAppProvider)
class OwnAppProviderAdmin(ReadOnlyAdmin):
    """Whose free models are free in their own application alone."""

    list_display = ("provider", "only")
    search_fields = ("provider",)

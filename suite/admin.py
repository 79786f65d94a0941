"""The suite in the admin: seen and searched. Tasks are accepted, dropped and brought back; edited on their own page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from collections_app.admin_asks import asks
from collections_app.admin_base import ReadOnlyAdmin, ReadOnlyInline, act_on_each, actor_of
from collections_app.admin_big import BigTableAdmin
from suite.actions import CHANGE, do_accept_tasks, do_drop_tasks
from suite.models import Attempt, Judgement, JudgeTrial, Score, SuitePass, Task, TaskVersion


class VersionInline(ReadOnlyInline):
    """All versions of a task, the newest first."""

    model = TaskVersion
    fields = ("digest", "current", "made_by", "made_at")
    readonly_fields = fields
    ordering = ("-made_at",)


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    """What is asked. "View on site" leads to its page, where it is edited."""

    list_display = ("slug", "shape", "origin", "language", "draft", "dropped", "control", "reviewed_by", "created_at")
    list_filter = ("shape", "origin", "language", "draft", "dropped")
    search_fields = ("slug", "title", "source")
    inlines = (VersionInline,)
    actions = ("accept", "drop", "bring_back")

    def view_on_site(self, obj: Task) -> str:
        return reverse("operations:suite-task", args=[obj.slug])

    def has_review_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(CHANGE))

    @admin.action(description="Accept", permissions=["review"])
    def accept(self, request: HttpRequest, chosen: QuerySet[Task]) -> None:
        actor, now = actor_of(request), timezone.now()
        self._each(request, chosen, lambda row: do_accept_tasks(actor=actor, tasks=[row], now=now), "Accepted")

    @admin.action(description="Drop", permissions=["review"])
    @asks("Drop these tasks? They are asked no more, and can be brought back.")
    def drop(self, request: HttpRequest, chosen: QuerySet[Task]) -> None:
        actor, now = actor_of(request), timezone.now()
        self._each(request, chosen, lambda row: do_drop_tasks(actor=actor, tasks=[row], now=now), "Dropped")

    @admin.action(description="Bring back", permissions=["review"])
    def bring_back(self, request: HttpRequest, chosen: QuerySet[Task]) -> None:
        actor, now = actor_of(request), timezone.now()
        self._each(request, chosen, lambda row: do_drop_tasks(actor=actor, tasks=[row], now=now, dropped=False), "Back")

    def _each(self, request: HttpRequest, chosen: QuerySet[Task], act: Callable[[Task], Any], done: str) -> None:
        act_on_each(self, request, chosen, act, done)


@admin.register(TaskVersion)
class TaskVersionAdmin(ReadOnlyAdmin):
    """What was asked, and the key it is scored by."""

    list_display = ("task", "digest", "current", "made_by", "made_at")
    list_filter = ("current",)
    list_select_related = ("task",)
    search_fields = ("task__slug", "digest")


@admin.register(SuitePass)
class SuitePassAdmin(ReadOnlyAdmin):
    """Who was asked when."""

    list_display = ("id", "kind", "note", "repetitions", "by", "created_at", "ended_at")
    list_filter = ("kind",)
    search_fields = ("note", "by")
    date_hierarchy = "created_at"


@admin.register(Attempt)
class AttemptAdmin(BigTableAdmin):
    """Every answer that was asked for."""

    list_display = ("at", "language_model", "version", "number", "outcome", "failure", "seconds", "cost")
    list_filter = ("outcome",)
    list_select_related = ("language_model", "version__task")
    search_fields = ("language_model__alias", "version__task__slug")

    def view_on_site(self, obj: Attempt) -> str:
        return reverse("operations:suite-answer", args=[obj.pk])


@admin.register(Score)
class ScoreAdmin(BigTableAdmin):
    """What answers are worth, by each version of the scorer."""

    list_display = ("attempt", "scorer", "found", "of", "hunt", "wrong", "current")
    list_filter = ("current", "wrong")
    list_select_related = ("attempt__language_model", "attempt__version__task")
    search_fields = ("attempt__language_model__alias", "attempt__version__task__slug")


@admin.register(JudgeTrial)
class JudgeTrialAdmin(BigTableAdmin):
    """What a judge said where the truth is known."""

    list_display = ("language_model", "claim", "truth", "said", "at")
    list_filter = ("truth", "said")
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "claim")


@admin.register(Judgement)
class JudgementAdmin(BigTableAdmin):
    """What a judge said where it is not."""

    list_display = ("language_model", "claim", "said", "at")
    list_filter = ("said",)
    list_select_related = ("language_model",)
    search_fields = ("language_model__alias", "claim")

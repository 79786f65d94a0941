"""Evidence of work, the verdicts of people on it, and the standings folded from both."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from collections_app.models.collection import Collection
from collections_app.models.language_model import LanguageModel


class Evidence(models.Model):
    """One piece of work. Rows are only ever added; the newest row of a `call` is the `current` one.

    `useful` is the mean of the verdicts on it (0 to 1), null while unjudged. `collection_name` outlives the collection.
    """

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="evidence")
    collection = models.ForeignKey(Collection, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    collection_name = models.CharField(max_length=32, blank=True)
    kind = models.CharField(max_length=16, help_text="seat, route, merger, shadow or offline")
    shape = models.CharField(max_length=16, blank=True)
    call = models.CharField(max_length=64, blank=True, db_index=True)
    task = models.CharField(max_length=120, blank=True)
    status = models.CharField(max_length=16, blank=True)
    useful = models.FloatField(null=True, blank=True)
    judges = models.PositiveSmallIntegerField(default=0)
    real_claims = models.PositiveSmallIntegerField(default=0)
    false_claims = models.PositiveSmallIntegerField(default=0)
    current = models.BooleanField(default=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)
        verbose_name_plural = "evidence"
        indexes = (
            models.Index(fields=["language_model", "-at"]),
            models.Index(fields=["collection_name", "language_model", "current"]),
            # When a collection last had a judged answer of a model: one step, however much there is.
            models.Index(
                fields=["collection_name", "language_model", "kind", "-at"],
                condition=models.Q(current=True, useful__isnull=False),
                name="judged_work",
            ),
        )

    def __str__(self) -> str:
        return f"{self.call or self.task}: {self.language_model}"


class Verdict(models.Model):
    """One person's verdict on one call, as it stands now. `judge` is null for the keyless local caller, for whoever
    judged offline under a name unknown here, and for people who are gone; `judge_name` is the name they had. `blind` is
    true when the page hid who answered while it was last said to be useful or not."""

    call = models.CharField(max_length=64, db_index=True)
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    judge_name = models.CharField(max_length=150)
    useful = models.BooleanField()
    note = models.CharField(max_length=500, blank=True)
    real = models.JSONField(default=list, blank=True, verbose_name="real claims")
    false = models.JSONField(default=list, blank=True, verbose_name="false claims")
    blind = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)
        indexes = (
            models.Index(fields=["judge", "-at"]),
            models.Index(fields=["-at"], name="newest_verdicts"),
        )
        constraints = (models.UniqueConstraint(fields=["call", "judge"], name="one_verdict_a_person_and_call"),)

    def __str__(self) -> str:
        return f"{self.judge_name} on {self.call}: {'useful' if self.useful else 'not useful'}"


class Standing(models.Model):
    """What the evidence of one model amounts to, over all its work (both names empty), in one collection, of one shape,
    or both. Disposable: it can be rebuilt from Evidence at any time.

    `useful` sums the means of the verdicts. The three of panels count answers by majority, an even split as neither.
    `lately_useful` and `lately_judged` are decayed sums as of `lately_at`.
    """

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="standings")
    collection_name = models.CharField(max_length=32, blank=True, help_text="Empty: all collections.")
    shape = models.CharField(max_length=16, blank=True, help_text="Empty: all shapes.")
    last_work_at = models.DateTimeField(null=True, blank=True)
    offloads = models.PositiveIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    useful = models.FloatField(default=0)
    real_claims = models.PositiveIntegerField(default=0)
    false_claims = models.PositiveIntegerField(default=0)
    panels_judged = models.PositiveIntegerField(default=0)
    panels_useful = models.PositiveIntegerField(default=0)
    panels_not_useful = models.PositiveIntegerField(default=0)
    lately_useful = models.FloatField(default=0)
    lately_judged = models.FloatField(default=0)
    lately_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("language_model", "collection_name", "shape")
        constraints = (
            models.UniqueConstraint(fields=["language_model", "collection_name", "shape"], name="one_standing_a_part"),
        )
        indexes = (models.Index(fields=["collection_name", "shape"]),)

    def __str__(self) -> str:
        part = ", ".join(filter(None, (self.collection_name and f"bench/{self.collection_name}", self.shape)))
        return f"{self.language_model}{part and f' in {part}'}: {self.useful:g} useful of {self.judged} judged"

    @property
    def not_useful(self) -> float:
        return self.judged - self.useful

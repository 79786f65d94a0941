"""A pass over the suite, and each answer that was asked for in it. Every attempt is kept."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AttemptOutcome
from suite.models.task import TaskVersion


class SuitePass(models.Model):
    """`kind` says what began it: manual, next, next-free, onboarding, demo or import. Its attempts are made before the
    first call, so that a pass goes on where it stood."""

    kind = models.CharField(max_length=16)
    note = models.CharField(max_length=200, blank=True)
    repetitions = models.PositiveSmallIntegerField(default=1)
    timeout_s = models.FloatField(default=420)
    by = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "suite passes"

    def __str__(self) -> str:
        return f"{self.kind} {self.created_at:%Y-%m-%d %H:%M}"


class Attempt(models.Model):
    """One answer of one model to one version of a task; `number` counts repetitions from 1. `outcome` is empty until it
    was asked. Times are seconds, `cost` nano-dollars (1e-9 USD)."""

    suite_pass = models.ForeignKey(SuitePass, on_delete=models.CASCADE, related_name="attempts")
    version = models.ForeignKey(TaskVersion, on_delete=models.CASCADE, related_name="attempts")
    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=16, choices=choices_of(AttemptOutcome), blank=True)
    failure = models.CharField(max_length=16, choices=choices_of(FailureClass), blank=True)
    detail = models.CharField(max_length=300, blank=True)
    answer = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cost = models.BigIntegerField(null=True, blank=True)
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=["suite_pass", "version", "language_model", "number"], name="one_attempt_a_number"
            ),
        )
        indexes = (
            models.Index(fields=["language_model", "version", "-at"]),
            models.Index(fields=["suite_pass", "outcome"]),
        )

    def __str__(self) -> str:
        return f"{self.language_model} on {self.version}: {self.outcome or 'waiting'}"

"""Judging by a model: what it said of answers whose truth is known, from which its error is measured, and what it said
of answers whose truth is not."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel
from suite.models.attempt import Attempt


class JudgeTrial(models.Model):
    """The judge `language_model` was shown one claim of an answer to a keyed task: `truth` is what the key says of it,
    `said` what the judge said; null while it was not asked or gave no verdict."""

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="judge_trials")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="judge_trials")
    claim = models.CharField(max_length=400)
    truth = models.BooleanField()
    said = models.BooleanField(null=True, blank=True)
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("language_model", "id")
        constraints = (
            models.UniqueConstraint(fields=["language_model", "attempt", "claim"], name="one_trial_a_claim"),
        )

    def __str__(self) -> str:
        return f"{self.language_model} on {self.claim[:40]}"


class Judgement(models.Model):
    """What the judge said of a finding in free words, which no key covers."""

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="judgements")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="judgements")
    claim = models.CharField(max_length=400)
    said = models.BooleanField(null=True, blank=True)
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("language_model", "id")
        constraints = (
            models.UniqueConstraint(fields=["language_model", "attempt", "claim"], name="one_judgement_a_claim"),
        )

    def __str__(self) -> str:
        return f"{self.language_model} on {self.claim[:40]}"

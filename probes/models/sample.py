"""One probing call and what came of it. Rows are only added; the trends of a model are drawn from them."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.fault import FailureClass
from probes.models.job import Job


class ProbeSample(models.Model):
    """`kind` says why it was made (availability, speed, capability, confirm, retry, onboarding, fingerprint), `prompt`
    what was asked (tiny, large, instruct, tools, schema, image, reasoning, or the name of a fingerprint's question).
    `answered` is whether an answer came, `passed` whether it was right where that can be judged. Times are seconds.
    `characters` is how long the answer was."""

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="samples")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="samples")
    kind = models.CharField(max_length=16)
    prompt = models.CharField(max_length=32)
    at = models.DateTimeField()
    answered = models.BooleanField()
    passed = models.BooleanField(null=True, blank=True)
    failure = models.CharField(max_length=16, choices=choices_of(FailureClass), blank=True)
    refusal = models.BooleanField(
        default=False, help_text="The model itself declined, which says nothing of its health."
    )
    account_wide = models.BooleanField(default=False, help_text="What is used up is the account's, not the model's.")
    upstream_status = models.PositiveSmallIntegerField(null=True, blank=True)
    detail = models.CharField(max_length=300, blank=True)
    served_as = models.CharField(max_length=200, blank=True)
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    reasoning = models.PositiveIntegerField(null=True, blank=True)
    characters = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (
            models.Index(fields=["language_model", "-at"]),
            models.Index(fields=["job", "language_model"]),
            # How all models answered one question lately, however long samples are kept.
            models.Index(fields=["prompt", "at"]),
            models.Index(fields=["at"], name="samples_by_age"),
        )

    def __str__(self) -> str:
        return f"{self.language_model} {self.prompt}: {'answered' if self.answered else self.failure}"

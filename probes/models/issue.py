"""What went wrong when a model was taken on, until it answers."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.fault import FailureClass
from probes.models.job import Job


class OnboardingIssue(models.Model):
    """`step` names the step that found it, `detail` is the provider's own words."""

    language_model = models.OneToOneField(LanguageModel, on_delete=models.CASCADE, related_name="issue")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    step = models.CharField(max_length=32)
    failure = models.CharField(max_length=16, choices=choices_of(FailureClass))
    detail = models.CharField(max_length=1000, blank=True)

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.language_model}: {self.failure} at {self.step}"

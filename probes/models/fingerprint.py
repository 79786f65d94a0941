"""How a model answers questions whose answers depend on which model it is, kept to notice when that changes."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel


class Fingerprint(models.Model):
    """One look. `answers` holds what was said, by the question's name; `distance` from 0 (as ever) to 1 is how far that
    is from the looks before, null for the first; `changed` marks the look that found another model."""

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="fingerprints")
    at = models.DateTimeField()
    answers = models.JSONField(default=dict)
    served_as = models.CharField(max_length=200, blank=True)
    distance = models.FloatField(null=True, blank=True)
    changed = models.BooleanField(default=False)

    class Meta:
        ordering = ("-at",)
        indexes = (
            models.Index(fields=["language_model", "-at"]),
            models.Index(fields=["at"], name="looks_by_age"),
        )

    def __str__(self) -> str:
        return f"{self.language_model} at {self.at:%Y-%m-%d}"

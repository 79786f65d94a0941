"""What is known of a model, value by value, each with its source. The best source wins (see collections_app.facts)."""

from __future__ import annotations

from django.db import models

from collections_app.models.language_model import LanguageModel


class Fact(models.Model):
    """`field` is one of collections_app.facts.FIELDS; `source` one of its SOURCES, of which `operator` wins over
    all.
    """

    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="facts")
    field = models.CharField(max_length=32)
    value = models.JSONField()
    source = models.CharField(max_length=32)
    evidence = models.CharField(max_length=200, blank=True)
    seen_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("language_model", "field")
        constraints = (
            models.UniqueConstraint(fields=["language_model", "field", "source"], name="one_value_a_source"),
        )

    def __str__(self) -> str:
        return f"{self.language_model}: {self.field} = {self.value} ({self.source})"

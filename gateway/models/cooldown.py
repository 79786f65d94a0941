"""A model that must rest after a rate limit. One row a model; an old row is simply in the past."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel


class Cooldown(models.Model):
    """`stated` is true when the provider said how long; otherwise the default wait was taken."""

    language_model = models.OneToOneField(LanguageModel, on_delete=models.CASCADE, related_name="cooldown")
    until = models.DateTimeField()
    stated = models.BooleanField(default=False)
    why = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-until",)

    def __str__(self) -> str:
        return f"{self.language_model} rests until {self.until:%Y-%m-%d %H:%M:%S}"

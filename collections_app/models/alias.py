"""A model name that some client insists on, and the collection that answers to it."""

from __future__ import annotations

from django.db import models

from collections_app.models.choices import choices_of
from collections_app.models.collection import Collection
from gateway.canon.kinds import ReplyKind


class ModelAlias(models.Model):
    """An empty `mode` leaves the way of answering to the collection."""

    name = models.CharField(max_length=100, unique=True)
    target = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="aliases")
    mode = models.CharField(max_length=16, choices=choices_of(ReplyKind), blank=True)

    class Meta:
        ordering = ("name",)
        verbose_name = "model alias"
        verbose_name_plural = "model aliases"

    def __str__(self) -> str:
        return self.name

    @property
    def full_name(self) -> str:
        """What a caller who knew the collection would ask for, such as `bench/core:route`."""
        return f"{self.target}:{self.mode}" if self.mode else str(self.target)

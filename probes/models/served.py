"""What endpoints list: when a served name was seen there last, since when it is missing, and what nobody wants to see
among the candidates."""

from __future__ import annotations

from django.db import models

from collections_app.models import Endpoint


class Served(models.Model):
    """A served name on an endpoint; `first_missing` is null while it is listed."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="served")
    served = models.CharField(max_length=200)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    first_missing = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("endpoint", "served")
        verbose_name_plural = "served"
        constraints = (models.UniqueConstraint(fields=["endpoint", "served"], name="one_row_a_served_name"),)

    def __str__(self) -> str:
        return f"{self.served} on {self.endpoint}"


class Dismissal(models.Model):
    """A candidate that was put aside."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="dismissals")
    served = models.CharField(max_length=200)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        ordering = ("-at",)
        constraints = (models.UniqueConstraint(fields=["endpoint", "served"], name="one_dismissal_a_served_name"),)

    def __str__(self) -> str:
        return f"{self.served} on {self.endpoint}, by {self.by}"

"""What a connection may be sent, as an operator sets it. A model's own limits are facts."""

from __future__ import annotations

from django.db import models


class ConnectionLimit(models.Model):
    """Requests and tokens a minute, a day (24 hours back) and a calendar month of UTC, counting every model of the
    connection; `parallel` calls at once. Empty: no limit."""

    connection = models.CharField(max_length=100, unique=True)
    rpm = models.PositiveIntegerField(null=True, blank=True)
    rpd = models.PositiveIntegerField(null=True, blank=True)
    rpmo = models.PositiveBigIntegerField(null=True, blank=True)
    tpm = models.PositiveBigIntegerField(null=True, blank=True)
    tpd = models.PositiveBigIntegerField(null=True, blank=True)
    parallel = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("connection",)

    def __str__(self) -> str:
        return f"limits of {self.connection}"

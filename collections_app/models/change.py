"""The change log: every write to the catalogue, who did it, and the value before and after. Never a secret."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Change(models.Model):
    """`thing` is the kind of object and `name` which one; `old` and `new` are null where there was, or is, nothing."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    actor_name = models.CharField(max_length=150)
    address = models.CharField(max_length=45, blank=True, help_text="The IP address it came from.")
    thing = models.CharField(max_length=32)
    name = models.CharField(max_length=200)
    field = models.CharField(max_length=64, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (models.Index(fields=["thing", "name"]),)

    def __str__(self) -> str:
        return f"{self.actor_name} changed {self.thing} {self.name} {self.field}".rstrip()

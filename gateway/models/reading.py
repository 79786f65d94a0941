"""Who has looked at the answers of somebody else."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Reading(models.Model):
    """`thing` is panel, conversation, shadow or export, `name` its id; `owner_name` whose it was. `address` is the IP
    address of the reader."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    reader_name = models.CharField(max_length=150)
    address = models.CharField(max_length=45, blank=True)
    thing = models.CharField(max_length=32)
    name = models.CharField(max_length=64)
    owner_name = models.CharField(max_length=150)

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"{self.reader_name} read {self.thing} {self.name} of {self.owner_name}"

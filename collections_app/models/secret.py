"""A provider's key, encrypted. Only collections_app.vault can read it."""

from __future__ import annotations

from django.db import models


class Secret(models.Model):
    """`cipher` is a Fernet token; `hint` the last four characters of the plain secret."""

    name = models.CharField(max_length=64, unique=True)
    cipher = models.TextField(editable=False)
    hint = models.CharField(max_length=4, blank=True, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

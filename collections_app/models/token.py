"""A personal token: what a person's own programs, such as the command line, act by."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PersonalToken(models.Model):
    """Stands for its person wherever a page could be used; never asks models. `digest` is the SHA-256 of the whole
    token in hex, `hint` its last four characters. A revoked token stays as a record."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=4, editable=False)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} (…{self.hint})"

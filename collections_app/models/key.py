"""A gateway key: what a client sends. Stored as a digest; shown once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from collections_app.models.collection import Collection


class GatewayKey(models.Model):
    """`digest` is the SHA-256 of the whole key in hex, `hint` its last four characters. With `scoped`, only
    `collections` may be called; a scope whose collections are all gone allows nothing. A revoked key stays as a
    record; its name is free again.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="gateway_keys")
    name = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=4, editable=False)
    scoped = models.BooleanField(default=False)
    collections = models.ManyToManyField(Collection, blank=True, related_name="keys")
    rpm = models.PositiveIntegerField(null=True, blank=True, help_text="Calls a minute; empty for no limit.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=["name"], condition=Q(revoked_at__isnull=True), name="one_live_key_a_name"),
        )

    def __str__(self) -> str:
        return f"{self.name} (…{self.hint})"

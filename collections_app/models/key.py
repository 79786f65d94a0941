"""A gateway key: what a client sends. Stored as a digest; shown once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from collections_app.models.collection import Collection
from collections_app.models.people import Team


class GatewayKey(models.Model):
    """`digest` is the SHA-256 of the whole key in hex, `hint` its last four characters. With `scoped`, only
    `collections` may be called; a scope whose collections are all gone allows nothing. A revoked key stays as a
    record; its name is free again.

    A key that was rotated also opens under `previous_digest` until `previous_until`: clients can be moved one by
    one. `rpm` and `tpm` are requests and tokens a minute. That of a signed-in program (`signed`) has no secret and no
    hint.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="gateway_keys")
    name = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    previous_digest = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    previous_until = models.DateTimeField(null=True, blank=True, editable=False)
    hint = models.CharField(max_length=4, editable=False)
    scoped = models.BooleanField(default=False)
    collections = models.ManyToManyField(Collection, blank=True, related_name="keys")
    rpm = models.PositiveIntegerField(null=True, blank=True, help_text="Calls a minute; empty for no limit.")
    tpm = models.PositiveIntegerField(null=True, blank=True, help_text="Tokens a minute; empty for no limit.")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="keys")
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
        return f"{self.name} (…{self.hint})" if self.hint else self.name


class KeyBudget(models.Model):
    """How much a key may use in a day or a calendar month of the server's time zone. `amount` is requests, tokens (in
    and out), or money in nano-dollars (1e-9 USD)."""

    UNITS = (("requests", "requests"), ("tokens", "tokens"), ("money", "money"))
    PERIODS = (("day", "day"), ("month", "month"))

    key = models.ForeignKey(GatewayKey, on_delete=models.CASCADE, related_name="budgets")
    unit = models.CharField(max_length=16, choices=UNITS)
    period = models.CharField(max_length=16, choices=PERIODS)
    amount = models.PositiveBigIntegerField()

    class Meta:
        ordering = ("key", "unit", "period")
        constraints = (models.UniqueConstraint(fields=["key", "unit", "period"], name="one_budget_a_unit_and_period"),)

    def __str__(self) -> str:
        return f"{self.key}: {self.amount} {self.unit} a {self.period}"

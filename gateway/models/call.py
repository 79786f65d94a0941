"""The ledger: one row for every upstream call, refused ones included. Rows are never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from collections_app.models import GatewayKey, LanguageModel, Team
from collections_app.models.choices import choices_of
from gateway.canon.kinds import CallStatus


class Call(models.Model):
    """`attempts` counts the HTTP requests really sent. Token counts are null where the provider gave none. `swapped`
    marks a reply that named another model than the one asked for. Holds no prompt and no answer.

    `request` is the request's id, as in the log and in the `x-request-id` header; `requests` is 1 on the first call of
    a caller's request and 0 on the others, so that its sum counts what callers asked. `cost` is in nano-dollars
    (1e-9 USD), null where a price or the tokens are unknown."""

    at = models.DateTimeField(db_index=True)
    seat = models.CharField(max_length=64, blank=True)
    language_model = models.ForeignKey(
        LanguageModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="calls", db_index=False
    )
    alias = models.CharField(max_length=64)
    endpoint_name = models.CharField(max_length=32)
    connection = models.CharField(max_length=100)
    served = models.CharField(max_length=200, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    key = models.ForeignKey(GatewayKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="calls")
    team = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, blank=True, related_name="calls")
    request = models.CharField(max_length=64, blank=True)
    requests = models.PositiveSmallIntegerField(default=0)
    caller = models.CharField(max_length=150)
    collection_name = models.CharField(max_length=32, blank=True)
    purpose = models.CharField(max_length=16, blank=True)
    status = models.CharField(max_length=16, choices=choices_of(CallStatus))
    upstream_status = models.PositiveSmallIntegerField(null=True, blank=True)
    failure = models.CharField(max_length=16, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cached = models.PositiveIntegerField(null=True, blank=True)
    cache_write = models.PositiveIntegerField(null=True, blank=True)
    reasoning = models.PositiveIntegerField(null=True, blank=True)
    cost = models.BigIntegerField(null=True, blank=True)
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    swapped = models.BooleanField(default=False)
    notes = models.JSONField(default=list, blank=True, help_text="What was left out on the way there and back.")

    class Meta:
        ordering = ("-at",)
        indexes = (
            models.Index(fields=["alias", "-at"]),
            models.Index(fields=["connection", "-at"]),
            models.Index(fields=["language_model", "-at"]),
        )

    def __str__(self) -> str:
        return f"{self.alias} at {self.at:%Y-%m-%d %H:%M:%S}: {self.status}"

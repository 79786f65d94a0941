"""A conversation in route mode and its turns. Neither holds a prompt beyond the start of the first message."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from collections_app.models import Collection, GatewayKey, LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.kinds import CallStatus


class Conversation(models.Model):
    """`owner` is null for the keyless local caller; `task` is the start of the first message."""

    id = models.CharField(max_length=40, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    key = models.ForeignKey(GatewayKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations")
    caller = models.CharField(max_length=150)
    collection = models.ForeignKey(
        Collection, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations"
    )
    collection_name = models.CharField(max_length=32)
    protocol = models.CharField(max_length=32)
    task = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("-last_at",)
        indexes = (
            models.Index(fields=["owner", "-last_at"]),
            models.Index(fields=["collection_name", "-last_at"]),
            models.Index(fields=["owner", "collection_name", "-last_at"], name="conversations_of_people"),
        )

    def __str__(self) -> str:
        return self.id


class Turn(models.Model):
    """One turn. `call` and `alias` are empty when nobody answered; `number` counts from 1; `tool_calls` are the names
    of the tools called; `tried` lists {alias, error} of members that failed before; times are seconds.

    Turns are written at every step of an agent and read by conversation, so that is their one index."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns", db_constraint=False)
    number = models.PositiveIntegerField()
    call = models.CharField(max_length=64, blank=True)
    alias = models.CharField(max_length=64, blank=True)
    language_model = models.ForeignKey(
        LanguageModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="turns", db_index=False
    )
    at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=choices_of(CallStatus))
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    tool_calls = models.JSONField(default=list, blank=True)
    finish = models.CharField(max_length=16, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    reasoning = models.PositiveIntegerField(null=True, blank=True)
    tried = models.JSONField(default=list, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("conversation", "at")

    def __str__(self) -> str:
        return f"{self.conversation_id} turn {self.number}"

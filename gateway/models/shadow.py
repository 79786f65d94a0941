"""A shadow: the answer of another model to a turn that a member has answered, made after the caller had its own."""

from __future__ import annotations

from django.db import models

from collections_app.models import LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.kinds import CallStatus
from gateway.models.conversation import Conversation


class Shadow(models.Model):
    """`number` is the turn's; `why` says why this model was chosen. `proposal` is what it would have done, `beside`
    what the member did: {text, reasoning, calls}, a call being {name, arguments}. Its calls are never run.

    Times are seconds."""

    call = models.CharField(max_length=64, primary_key=True)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="shadows", db_constraint=False
    )
    number = models.PositiveIntegerField()
    alias = models.CharField(max_length=64)
    language_model = models.ForeignKey(
        LanguageModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="shadows"
    )
    why = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=choices_of(CallStatus))
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    finish = models.CharField(max_length=16, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    error = models.TextField(blank=True)
    proposal = models.JSONField(default=dict, blank=True)
    member = models.CharField(max_length=64, help_text="The alias of the member that answered the turn.")
    beside = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("conversation", "number")

    def __str__(self) -> str:
        return self.call

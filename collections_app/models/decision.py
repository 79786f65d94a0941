"""A decision model: it answers typed questions about a state, never chats and never sits."""

from __future__ import annotations

from django.db import models

from collections_app.models.choices import choices_of
from collections_app.models.endpoint import Endpoint
from gateway.canon.decision import DecisionPath


class DecisionModel(models.Model):
    """`path` stands for `{path}` in the endpoint's address for decisions. `question_types` are those the model was
    seen to accept: some of noul, choice, score. The first one registered comes first."""

    alias = models.CharField(max_length=64, unique=True)
    served = models.CharField(max_length=200)
    via = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="decision_models")
    path = models.CharField(max_length=16, choices=choices_of(DecisionPath), default=DecisionPath.DECISIONS)
    question_types = models.JSONField(default=list, help_text="Some of noul, choice, score.")
    ad_hoc = models.BooleanField(default=False, help_text="Never chosen automatically.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)
        verbose_name = "decision model"
        constraints = (models.UniqueConstraint(fields=["served", "via"], name="one_alias_a_decision_model"),)

    def __str__(self) -> str:
        return self.alias

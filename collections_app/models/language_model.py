"""A registered model: one served name on one endpoint, under an alias of its own that is never reused."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from collections_app.models.choices import choices_of
from collections_app.models.endpoint import Endpoint
from gateway.canon.kinds import EndpointKind, ModelRole, ModelStatus


class LanguageModel(models.Model):
    """`ad_hoc` models are never chosen automatically. `options` are body fields sent with every seat. A retired
    model keeps `former` = {collection: ["members", "merger"]}, so that it can be restored exactly.

    `status` is what was last seen of it (retirement apart), `status_why` the provider's own words or the plain reading;
    `retire_in` counts the days until it is retired unless it answers. One that `went_paid_at` some time is not called
    unless `allow_paid`. One that `never_answered` a probe explores nowhere, one that `fails_large` questions not where
    much is asked. Verdicts from before `evidence_since` are set aside: another model answered under its name.
    """

    alias = models.CharField(max_length=64, unique=True)
    served = models.CharField(max_length=200)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="language_models")
    role = models.CharField(max_length=16, choices=choices_of(ModelRole), default=ModelRole.GENERAL)
    ad_hoc = models.BooleanField(default=False)
    options = models.JSONField(default=dict, blank=True)
    tag = models.CharField(max_length=100, blank=True, help_text="Behind a hub: connection, or connection/vendor.")
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_by = models.CharField(max_length=150, blank=True)
    retired_why = models.CharField(max_length=300, blank=True)
    former = models.JSONField(default=dict, blank=True, editable=False)
    restored_at = models.DateTimeField(null=True, blank=True, editable=False)
    status = models.CharField(
        max_length=16, choices=choices_of(ModelStatus), default=ModelStatus.UNTESTED, editable=False
    )
    status_why = models.CharField(max_length=300, blank=True, editable=False)
    status_at = models.DateTimeField(null=True, blank=True, editable=False)
    retire_in = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    never_answered = models.BooleanField(default=False, editable=False)
    fails_large = models.BooleanField(default=False, editable=False)
    went_paid_at = models.DateTimeField(null=True, blank=True, editable=False)
    allow_paid = models.BooleanField(default=False, help_text="Call it though it costs money now.")
    evidence_since = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("alias",)
        verbose_name = "model"
        constraints = (
            models.UniqueConstraint(
                fields=["served", "endpoint"], condition=Q(retired_at__isnull=True), name="one_alias_a_served_name"
            ),
        )

    def __str__(self) -> str:
        return self.alias

    @property
    def retired(self) -> bool:
        return self.retired_at is not None

    @property
    def connection(self) -> str:
        """What shares a rate limit with it: the upstream behind a hub, `?` where that is not known, else the
        endpoint."""
        if self.tag:
            return self.tag.split("/", 1)[0]
        return "?" if self.endpoint.kind == EndpointKind.HUB else self.endpoint.name


class AliasHistory(models.Model):
    """An alias that was renamed away. Evidence stays under the name it had; readers follow the chain."""

    old = models.CharField(max_length=64, unique=True)
    new = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("old",)
        verbose_name_plural = "alias history"

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"

"""An endpoint: a base address, the protocol spoken there and the name of the secret that opens it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from collections_app.models.choices import choices_of
from gateway.canon.kinds import Api, EndpointKind


class Endpoint(models.Model):
    """`base` has no trailing slash. `key_name` names a secret, never holds one. Exactly one endpoint is the default."""

    name = models.CharField(max_length=32, unique=True)
    base = models.CharField(max_length=500)
    kind = models.CharField(max_length=16, choices=choices_of(EndpointKind), default=EndpointKind.PROVIDER)
    api = models.CharField(max_length=16, choices=choices_of(Api), default=Api.CHAT)
    hub = models.CharField(max_length=16, blank=True, help_text="For a hub: openwebui, litellm or cliproxy.")
    key_name = models.CharField(
        max_length=64, blank=True, help_text="The secret's name. BENCHWARMERS_KEY_<NAME> wins over the stored one."
    )
    key_env = models.CharField(
        max_length=100, blank=True, help_text="Another environment variable that brings the secret."
    )
    admin_key_name = models.CharField(
        max_length=64, blank=True, help_text="For a hub: the name of the secret that opens its administration."
    )
    default = models.BooleanField(default=False)
    headers = models.JSONField(default=dict, blank=True, help_text="Extra request headers, name to value.")
    models_url = models.CharField(max_length=500, blank=True, help_text="Where to list models, if not base/models.")
    unlisted_models = models.JSONField(default=list, blank=True, help_text="Served names missing from the listing.")
    decisions_url = models.CharField(
        max_length=500, blank=True, help_text="Where decision models are asked; may hold {path}."
    )
    quirks = models.JSONField(default=dict, blank=True, help_text="What this endpoint's dialect needs.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=["default"], condition=Q(default=True), name="one_default_endpoint"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def scripted(self) -> bool:
        """True for the practice squad: answers come from a script, not from a model."""
        return self.kind == EndpointKind.PRACTICE

"""Signing in to providers: what an endpoint got in by, sign-ins under way, and the applications that people registered.

No token is here: access tokens are secrets under the endpoint's `key_name`, refresh tokens under `<key_name>.refresh`.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from collections_app.models.endpoint import Endpoint


class SignIn(models.Model):
    """How an endpoint's key was come by. `expires_at` is null for what does not expire. `trouble` says why the last
    renewal failed, empty after one that worked; `renewing_until` is the lease of whoever renews it now."""

    endpoint = models.OneToOneField(Endpoint, on_delete=models.CASCADE, related_name="sign_in")
    provider = models.CharField(max_length=32)
    client_id = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    refreshes = models.BooleanField(default=False)
    renewed_at = models.DateTimeField(null=True, blank=True)
    renewing_until = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("endpoint",)

    def __str__(self) -> str:
        return f"{self.endpoint} by {self.provider}"


class SignInSession(models.Model):
    """A sign-in under way, used once. `digest` is the SHA-256 of its id, which is also the OAuth `state`. What must
    stay secret (verifier, device code) is sealed by the vault in `sealed`. `endpoint_name` is set when an endpoint
    signs in again."""

    STATES = (("pending", "pending"), ("exchanging", "exchanging"), ("done", "done"), ("failed", "failed"))

    digest = models.CharField(max_length=64, unique=True, editable=False)
    provider = models.CharField(max_length=32)
    flow = models.CharField(max_length=16)
    endpoint_name = models.CharField(max_length=32, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    sealed = models.TextField(blank=True, editable=False)
    client_id = models.CharField(max_length=200, blank=True)
    redirect = models.CharField(max_length=500, blank=True)
    user_code = models.CharField(max_length=64, blank=True)
    verify_url = models.CharField(max_length=500, blank=True)
    interval_s = models.PositiveSmallIntegerField(default=5)
    polled_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=STATES, default="pending")
    result = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"sign-in to {self.provider}: {self.state}"


class OwnApp(models.Model):
    """The public client id of an application that this installation registered with a provider."""

    provider = models.CharField(max_length=32, unique=True)
    client_id = models.CharField(max_length=200)

    class Meta:
        ordering = ("provider",)

    def __str__(self) -> str:
        return f"{self.provider}: {self.client_id}"

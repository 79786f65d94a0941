"""What needs somebody's action. An alert belongs to whoever raised it, who alone takes it back."""

from __future__ import annotations

from django.db import models

from collections_app.models.choices import choices_of
from collections_app.models.endpoint import Endpoint
from collections_app.models.language_model import LanguageModel
from gateway.canon.kinds import AlertKind


class Alert(models.Model):
    """`raiser` and `key` name it: raising it again changes the words and `last_seen`, and leaves `first_seen`. It is
    about a model, an endpoint, a connection, or several of one. `mailed_at` and `hooked_at` are when it went out."""

    raiser = models.CharField(max_length=32)
    key = models.CharField(max_length=250)
    kind = models.CharField(max_length=16, choices=choices_of(AlertKind))
    message = models.CharField(max_length=500)
    language_model = models.ForeignKey(
        LanguageModel, on_delete=models.CASCADE, null=True, blank=True, related_name="alerts"
    )
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, null=True, blank=True, related_name="alerts")
    connection = models.CharField(max_length=100, blank=True)
    aliases = models.JSONField(default=list, blank=True, help_text="All the models it is about, where several are.")
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True)
    hooked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("first_seen", "id")
        constraints = (models.UniqueConstraint(fields=["raiser", "key"], name="one_alert_a_raiser_and_key"),)

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"

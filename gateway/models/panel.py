"""A panel: one request answered by several models. Each seat is its own row, written as it finishes."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from collections_app.models import Collection, GatewayKey, LanguageModel
from collections_app.models.choices import choices_of
from gateway.canon.kinds import ReplyKind, SeatStatus, Shape


class Panel(models.Model):
    """`owner` is null for the keyless local caller. `prompt` and `system` hold placeholders where images were.
    `skipped` is a list of {seat, alias, why}; `stamp` names the catalogue state it was planned from."""

    STATES = (("running", "running"), ("done", "done"), ("interrupted", "interrupted"))

    id = models.CharField(max_length=40, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    key = models.ForeignKey(GatewayKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="panels")
    caller = models.CharField(max_length=150)
    collection = models.ForeignKey(Collection, on_delete=models.SET_NULL, null=True, blank=True, related_name="panels")
    collection_name = models.CharField(max_length=32)
    protocol = models.CharField(max_length=32)
    reply = models.CharField(max_length=16, choices=choices_of(ReplyKind), default=ReplyKind.ALL)
    shape = models.CharField(max_length=16, choices=choices_of(Shape))
    shape_by = models.CharField(max_length=200)
    system = models.TextField(blank=True)
    prompt = models.TextField(blank=True)
    skipped = models.JSONField(default=list, blank=True)
    left_out = models.JSONField(default=list, blank=True, help_text="What no seat was sent of the request, and why.")
    stamp = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16, choices=STATES, default="running")
    process = models.CharField(max_length=64, blank=True, help_text="Which web process runs it.")
    started_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    shared_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Since when everybody signed in may read it by its address."
    )

    class Meta:
        ordering = ("-started_at",)
        indexes = (
            models.Index(fields=["owner", "-started_at"]),
            models.Index(fields=["collection_name", "-started_at"]),
            models.Index(fields=["owner", "collection_name", "-started_at"], name="panels_of_people"),
            models.Index(fields=["state"]),
        )
        permissions = (
            ("ask", "Can ask collections"),
            ("view_all_panels", "Can see the panels of others"),
            ("judge", "Can record verdicts"),
        )

    def __str__(self) -> str:
        return self.id


class Seat(models.Model):
    """One model's place in a panel. `label` is member, explorer, explorer 2 or merger; `why` the reason it sits there;
    `error` the last 500 characters of what went wrong; times are seconds."""

    call = models.CharField(max_length=64, primary_key=True)
    panel = models.ForeignKey(Panel, on_delete=models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=16)
    alias = models.CharField(max_length=64)
    language_model = models.ForeignKey(
        LanguageModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="seats"
    )
    connection = models.CharField(max_length=100, blank=True)
    why = models.CharField(max_length=200, blank=True)
    until = models.CharField(max_length=200, blank=True, help_text="When it would sit here no longer.")
    status = models.CharField(max_length=16, choices=choices_of(SeatStatus), default=SeatStatus.WAITING)
    answer = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    error = models.TextField(blank=True)
    failure = models.CharField(max_length=16, blank=True)
    upstream_status = models.PositiveSmallIntegerField(null=True, blank=True)
    finish = models.CharField(max_length=16, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    seconds = models.FloatField(default=0)
    first_token_s = models.FloatField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    notes = models.JSONField(default=list, blank=True, help_text="What was left out on the way there and back.")

    class Meta:
        ordering = ("panel", "place")
        constraints = (models.UniqueConstraint(fields=["panel", "place"], name="one_seat_a_place"),)

    def __str__(self) -> str:
        return self.call

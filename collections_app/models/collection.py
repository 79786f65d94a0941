"""A collection: the members that answer together, in order, and how their answers are given."""

from __future__ import annotations

from django.db import models

from collections_app.models.choices import choices_of
from collections_app.models.language_model import LanguageModel
from collections_app.models.people import Team
from gateway.canon.kinds import ReplyKind, Shape


class Collection(models.Model):
    """An empty `shape` is decided per request; an empty `merger` is chosen at run time. One that a `team` owns is there
    for its members alone."""

    RANKINGS = (("record", "record"), ("bayes", "bayes"))
    COOLDOWNS = (("substitute", "substitute"), ("ask", "ask"))
    DISCONNECTS = (("finish", "finish and record"), ("cancel", "cancel"))

    name = models.CharField(max_length=32, unique=True)
    shape = models.CharField(max_length=16, choices=choices_of(Shape), blank=True)
    reply = models.CharField(max_length=16, choices=choices_of(ReplyKind), default=ReplyKind.ALL)
    merger = models.ForeignKey(
        LanguageModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="merges_for"
    )
    description = models.CharField(max_length=300, blank=True)
    tags = models.JSONField(default=list, blank=True)
    ranking = models.CharField(max_length=16, choices=RANKINGS, default="record")
    cooldown = models.CharField(max_length=16, choices=COOLDOWNS, default="substitute")
    on_disconnect = models.CharField(max_length=16, choices=DISCONNECTS, default="finish")
    shadow = models.JSONField(default=dict, blank=True, help_text="Shadow seats: share, who and daily cap.")
    max_explorers = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty: as in the settings.")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="collections")
    members = models.ManyToManyField(LanguageModel, through="Seating", related_name="collections")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return f"bench/{self.name}"


class Seating(models.Model):
    """A member's place in a collection, from 1."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="seatings")
    language_model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="seatings")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("collection", "place")
        constraints = (models.UniqueConstraint(fields=["collection", "language_model"], name="one_chair_a_member"),)

    def __str__(self) -> str:
        return f"{self.collection} {self.place}: {self.language_model}"

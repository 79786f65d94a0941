"""A task: what is asked, and the key that the answer is scored against. A change of either is a new version."""

from __future__ import annotations

from django.db import models

from collections_app.models.choices import choices_of
from gateway.canon.kinds import TaskShape


class Task(models.Model):
    """`slug` names it, `origin` says how it came: starter, seeded, real, mined or hand. A draft waits for a person and
    is asked nobody by itself; a dropped one is neither asked nor counted. `pair` names the task of the other half: a
    bug and its control. `created_on` is when what it is about became public, for judging whether a model may have seen
    it (`contamination` says what is known); empty for what never was. `mutation` is the kind of a planted change."""

    ORIGINS = tuple((one, one) for one in ("starter", "seeded", "real", "mined", "hand", "promptfoo"))

    slug = models.CharField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    shape = models.CharField(max_length=16, choices=choices_of(TaskShape))
    origin = models.CharField(max_length=16, choices=ORIGINS, default="hand")
    language = models.CharField(max_length=16, blank=True)
    mutation = models.CharField(max_length=24, blank=True)
    pair = models.CharField(max_length=80, blank=True)
    control = models.BooleanField(default=False, help_text="Nothing is wrong in it.")
    draft = models.BooleanField(default=False)
    dropped = models.BooleanField(default=False)
    source = models.CharField(max_length=300, blank=True, help_text="Where it is from, such as path::function.")
    source_url = models.CharField(max_length=500, blank=True)
    licence = models.CharField(max_length=64, blank=True)
    created_on = models.DateField(null=True, blank=True)
    contamination = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()
    reviewed_by = models.CharField(max_length=150, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("slug",)
        indexes = (models.Index(fields=["shape", "draft", "dropped"]),)

    def __str__(self) -> str:
        return self.slug


class TaskVersion(models.Model):
    """`digest` is the SHA-256 of prompt, attachments and key in a fixed form (suite.keys). `attachments` is a list of
    {name, text}; `key` holds must_find, must_not_claim, must_not_claim_in, score_in, min_answer_chars and format. `why`
    says how the key was established and is sent to nobody. The newest version of a task is `current`."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="versions")
    digest = models.CharField(max_length=64)
    prompt = models.TextField()
    attachments = models.JSONField(default=list, blank=True)
    key = models.JSONField(default=dict)
    why = models.TextField(blank=True)
    current = models.BooleanField(default=True)
    made_by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("task", "-made_at")
        constraints = (
            models.UniqueConstraint(fields=["task", "digest"], name="one_row_a_version"),
            models.UniqueConstraint(
                fields=["task"], condition=models.Q(current=True), name="one_current_version_a_task"
            ),
        )

    def __str__(self) -> str:
        return f"{self.task} {self.digest[:8]}"

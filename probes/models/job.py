"""Background work as rows: the row is the truth, a message of Celery only a bell.

A job is claimed by a conditional update that sets a lease; a process that dies lets the lease run out, and the next one
goes on at the step where it stood.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from collections_app.models.choices import choices_of
from gateway.canon.kinds import JobState

OPEN = (JobState.QUEUED, JobState.RUNNING)


class Job(models.Model):
    """One piece of work of a `kind` (probes.jobs.kinds), on what `key` names; at most one of both is open. Of those in
    one `lane` (a connection) one runs at a time. `batch` names jobs that were asked for together. `payload` is what it
    needs, `results` what each finished step found, by the step's name; `step` counts finished steps. `slot` is the time
    of the schedule that it is for. `lease_until` and `holder` (host/process/nonce) say who works on it; `attempts`
    counts the claims."""

    kind = models.CharField(max_length=24)
    key = models.CharField(max_length=250)
    lane = models.CharField(max_length=100, blank=True)
    batch = models.CharField(max_length=40, blank=True, db_index=True)
    payload = models.JSONField(default=dict, blank=True)
    results = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=16, choices=choices_of(JobState), default=JobState.QUEUED)
    step = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="Of `total`, how many parts are finished.")
    total = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=300, blank=True)
    stop_asked = models.BooleanField(default=False)
    slot = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=150, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    by = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=["kind", "key"], condition=Q(state__in=OPEN), name="one_open_job_a_key"),
            models.UniqueConstraint(
                fields=["lane"], condition=Q(state=JobState.RUNNING) & ~Q(lane=""), name="one_running_job_a_lane"
            ),
        )
        indexes = (
            models.Index(fields=["due_at"], condition=Q(state__in=OPEN), name="jobs_to_do"),
            models.Index(fields=["kind", "-id"]),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"

    @property
    def open(self) -> bool:
        return self.state in OPEN


class JobLine(models.Model):
    """A line of a job's output. `step` is the step it was said in, from 1."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    at = models.DateTimeField()
    step = models.PositiveSmallIntegerField(default=0)
    text = models.CharField(max_length=1000)

    class Meta:
        ordering = ("job", "id")

    def __str__(self) -> str:
        return self.text


class Slot(models.Model):
    """Up to when the slots of a schedule's row have been taken, by the kind of job. Without a row none has been: the
    first look takes note of the time and runs nothing."""

    kind = models.CharField(max_length=24, unique=True)
    counted_to = models.DateTimeField()

    class Meta:
        ordering = ("kind",)

    def __str__(self) -> str:
        return f"{self.kind} up to {self.counted_to:%Y-%m-%d %H:%M}"

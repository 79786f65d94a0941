"""What an answer is worth, by one version of the scorer. Disposable: made again from the answer and the key."""

from __future__ import annotations

from django.db import models

from suite.models.attempt import Attempt


class Score(models.Model):
    """`found` of `of` findings; `missed` and `invented` hold the labels of clauses. `hunt` is how a hunt for a bug
    ended: found, wrong line, missed, clean or false alarm. `chance` is the kind of opportunity to be confidently wrong
    that the answer was (control, wrong line, false claim, trap), empty for none; `wrong` whether it was taken.
    `steps` tells the scoring clause by clause."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="scores")
    scorer = models.PositiveSmallIntegerField()
    found = models.PositiveSmallIntegerField(default=0)
    of = models.PositiveSmallIntegerField(default=0)
    missed = models.JSONField(default=list, blank=True)
    invented = models.JSONField(default=list, blank=True)
    format_ok = models.BooleanField(null=True, blank=True)
    format_why = models.CharField(max_length=200, blank=True)
    hunt = models.CharField(max_length=16, blank=True)
    chance = models.CharField(max_length=16, blank=True)
    wrong = models.BooleanField(default=False)
    steps = models.JSONField(default=list, blank=True)
    current = models.BooleanField(default=True)

    class Meta:
        ordering = ("attempt", "-scorer")
        constraints = (models.UniqueConstraint(fields=["attempt", "scorer"], name="one_score_a_scorer"),)
        indexes = (models.Index(fields=["attempt"], condition=models.Q(current=True), name="current_scores"),)

    def __str__(self) -> str:
        return f"{self.attempt}: {self.found} of {self.of}"

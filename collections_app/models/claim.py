"""The claim map of a panel: which sentences of which seats are one and the same claim, as people settled it.

What people think of a claim is not kept here but in their verdicts, where it counts.
"""

from __future__ import annotations

from django.db import models


class ClaimGroup(models.Model):
    """One claim of a panel. `text` is the wording shown for all of its seats, `by` who put it together."""

    panel = models.CharField(max_length=40, db_index=True)
    text = models.CharField(max_length=400)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ("panel", "id")

    def __str__(self) -> str:
        return self.text


class ClaimSeat(models.Model):
    """One seat's wording of a claim. A sentence of a seat belongs to one claim only."""

    group = models.ForeignKey(ClaimGroup, on_delete=models.CASCADE, related_name="seats")
    call = models.CharField(max_length=64)
    text = models.CharField(max_length=400)

    class Meta:
        ordering = ("group", "id")
        constraints = (models.UniqueConstraint(fields=["call", "text"], name="one_claim_a_sentence"),)

    def __str__(self) -> str:
        return f"{self.call}: {self.text}"

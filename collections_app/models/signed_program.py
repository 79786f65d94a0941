"""A program that somebody signed in, so that it may ask in their name."""

from __future__ import annotations

from django.db import models

from collections_app.models.key import GatewayKey


class SignedProgram(models.Model):
    """Stands behind a gateway key that has no secret of its own: tokens of the library's, which are renewed every hour,
    open it instead. Whose it is, what it opens, its limits and its end are those of the key.

    `grant` is what the library calls one consent, `client` its id of the program. `spent` is the digest of the last
    renewing token that was used up: whoever brings it again has a copy. Unless it is renewed before `until`, the
    program is signed out.
    """

    key = models.OneToOneField(GatewayKey, on_delete=models.CASCADE, related_name="signed")
    grant = models.CharField(max_length=32, unique=True, editable=False)
    client = models.CharField(max_length=100, db_index=True, editable=False)
    name = models.CharField(max_length=100, help_text="What the program calls itself.")
    until = models.DateTimeField(db_index=True)
    spent = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    spent_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name

"""Teams, invitations and service accounts. People themselves are Django's users."""

from __future__ import annotations

from django.conf import settings
from django.db import models

GROUPS = ("viewer", "caller", "curator", "admin")
"""What somebody may do, from the least to the most; each may all that the one before may."""


class Team(models.Model):
    """Owns collections and keys. What a team owns is seen by its members, and by whoever sees everything."""

    name = models.CharField(max_length=32, unique=True)
    about = models.CharField(max_length=300, blank=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="teams")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Invitation(models.Model):
    """A link that makes one account, once, before it expires. `digest` is the SHA-256 of its token in hex; the token is
    shown once. Whoever takes it joins `group` and, where given, `team`."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    email = models.EmailField(blank=True, help_text="For whom; empty for whoever has the link.")
    group = models.CharField(max_length=16, choices=[(name, name) for name in GROUPS], default="caller")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations_made"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations_taken"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"invitation of {self.email or 'whoever has the link'} to be {self.group}"


class ServiceAccount(models.Model):
    """A user for programs: holds keys, never signs in."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="service_account")
    about = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="service_accounts_made"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("user__username",)

    def __str__(self) -> str:
        return self.user.get_username()


class Preference(models.Model):
    """How somebody wants the pages to be, wherever they sign in. Empty is nothing chosen."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preference")
    theme = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return f"preference of {self.user}"

"""Who can be signed in at all. Django asks this backend for every password and at every request of a session."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User


def may_sign_in(user: User) -> bool:
    """False for people who were disabled and for service accounts, whichever way they come."""
    return user.is_active and not hasattr(user, "service_account")


class People(ModelBackend):
    """Django's own backend for people alone."""

    def user_can_authenticate(self, user: Any) -> bool:
        return user is not None and may_sign_in(user)

    def get_user(self, user_id: Any) -> User | None:
        """The person of a session, whether a service account learnt in the same query."""
        user = User.objects.select_related("service_account").filter(pk=user_id).first()
        return user if self.user_can_authenticate(user) else None

"""Writes into the change log who signed in and out, who was refused, and what changed about how somebody signs in.

Listens to the signals of Django and of the sign-in library, so that no way in is forgotten. Wrong guesses are bounded:
whoever guesses a million times leaves a few lines, not a full disk. A name that nobody has is not written down; it may
be a password in the wrong field.
"""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.utils import timezone

from collections_app.journal import note_alone
from collections_app.models import Change
from collections_app.whence import address_now

SESSION: Final = "session"
PERSON: Final = "person"
NOBODY: Final = "(nobody of this name)"
REFUSED: Final = "refused"
LAST_REFUSED: Final = "refused; more refusals within the hour are not listed"
HOUR: Final = timedelta(hours=1)
MOST_OF_ADDRESS: Final = 30
MOST_OF_ALL: Final = 600
"""Refusals an hour that are written down."""

_LIBRARY: Final = (
    ("allauth.mfa", "allauth.mfa.signals", "authenticator_added", "second factor", "added"),
    ("allauth.mfa", "allauth.mfa.signals", "authenticator_removed", "second factor", "removed"),
    ("allauth.mfa", "allauth.mfa.signals", "authenticator_reset", "recovery codes", "made anew"),
    ("allauth.account", "allauth.account.signals", "password_set", "password", "set"),
    ("allauth.account", "allauth.account.signals", "password_changed", "password", "set"),
    ("allauth.account", "allauth.account.signals", "password_reset", "password", "set"),
    ("allauth.socialaccount", "allauth.socialaccount.signals", "social_account_added", "single sign-on", "added"),
    ("allauth.socialaccount", "allauth.socialaccount.signals", "social_account_removed", "single sign-on", "removed"),
)
"""App, module and name of a signal; the field and the new value that it stands for."""


def listen() -> None:
    """Once a process, when the apps are ready."""
    user_logged_in.connect(_note_in, dispatch_uid="sign-in-log")
    user_logged_out.connect(_note_out, dispatch_uid="sign-in-log")
    user_login_failed.connect(_note_refused, dispatch_uid="sign-in-log")
    if apps.is_installed("allauth.mfa"):
        failed = import_module("allauth.mfa.signals").authentication_failed
        failed.connect(_note_factor_refused, dispatch_uid="sign-in-log")
    for app, module, signal, field, new in _LIBRARY:
        if apps.is_installed(app):
            getattr(import_module(module), signal).connect(
                _noting(field, new), dispatch_uid=f"sign-in-log {signal}", weak=False
            )


def note_password(person: User, *, actor: User) -> None:
    """Somebody has chosen a password, for themselves or for another."""
    note_alone(actor, PERSON, person.get_username(), "password", new="set")


def _note_in(sender: object, user: User, **_: Any) -> None:
    note_alone(user, SESSION, user.get_username(), new="signed in")


def _note_out(sender: object, user: User | None, **_: Any) -> None:
    if user is not None:
        note_alone(user, SESSION, user.get_username(), new="signed out")


def _note_refused(sender: object, credentials: dict[str, Any], **_: Any) -> None:
    tried = str(credentials.get("username") or credentials.get("email") or "")[:150]
    found = User.objects.filter(username__iexact=tried).values_list("username", flat=True).first()
    _refuse(found or NOBODY)


def _note_factor_refused(sender: object, user: User, **_: Any) -> None:
    _refuse(user.get_username())


def _refuse(name: str) -> None:
    lately = Change.objects.filter(thing=SESSION, field=REFUSED, at__gt=timezone.now() - HOUR)
    here = lately.filter(address=address_now()).count()
    if here >= MOST_OF_ADDRESS or lately.count() >= MOST_OF_ALL:
        return
    last = here == MOST_OF_ADDRESS - 1
    note_alone(None, SESSION, name, REFUSED, new=LAST_REFUSED if last else REFUSED, by="nobody")


def _noting(field: str, new: str) -> Any:
    def note(sender: object, **said: Any) -> None:
        person = said.get("user") or said["sociallogin" if "sociallogin" in said else "socialaccount"].user
        request = said.get("request")
        actor = request.user if request is not None and request.user.is_authenticated else person
        what = getattr(said.get("authenticator"), "type", "")
        note_alone(actor, PERSON, person.get_username(), field, new=f"{new}: {what}" if what else new)

    return note

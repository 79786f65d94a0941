"""Allauth's forms that take something guessable, behind our throttle."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ReauthenticateForm as PasswordForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from benchwarmers.dashboard.throttle import CODE, PASSWORD, forgive, may_guess
from benchwarmers.people.second_factor import use_code
from collections_app.vault import VaultLocked

WAIT_CODE = _("Too many wrong codes. Wait 15 minutes.")
WAIT_PASSWORD = _("Too many wrong passwords. Wait 15 minutes.")
WRONG_CODE = _("That code is wrong, or was used already.")
WRONG_PASSWORD = _("That is not your password.")
LOCKED = _("The secret behind your codes cannot be read; ask an admin to remove your second factor.")


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""

    authenticator: Authenticator

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        self.authenticator = _checked(self, code)
        return code


class CodeAgainForm(ReauthenticateForm):  # type: ignore[misc]
    """A code before something important."""

    authenticator: Authenticator

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        self.authenticator = _checked(self, code)
        return code


class PasswordAgainForm(PasswordForm):  # type: ignore[misc]
    """The password before something important."""

    def clean_password(self) -> Any:
        address, name = _address(), self.user.get_username()
        if not may_guess(address, name, PASSWORD):
            raise ValidationError(WAIT_PASSWORD)
        if authenticate(context.request, username=name, password=self.cleaned_data["password"]) is None:
            raise ValidationError(WRONG_PASSWORD)
        forgive(address, name, PASSWORD)
        return self.cleaned_data["password"]


def _checked(form: Any, code: str) -> Authenticator:
    """What the code belongs to.

    :raises ValidationError: a wrong code, or too many of them.
    """
    user: User = form.user
    address, name = _address(), user.get_username()
    if not may_guess(address, name, CODE):
        raise ValidationError(WAIT_CODE)
    try:
        found = use_code(user, code)
    except VaultLocked:
        raise ValidationError(LOCKED) from None
    if found is None:
        form._emit_authentication_failed(Authenticator.objects.filter(user=user).first())
        raise ValidationError(WRONG_CODE)
    forgive(address, name, CODE)
    return found


def _address() -> str:
    return str(context.request.META.get("REMOTE_ADDR", ""))

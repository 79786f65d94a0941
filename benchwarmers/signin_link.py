"""One-time sign-in links: made for a person, valid for seven days, dead after that person's first sign-in.

The token is a signature over the person's last sign-in and password, so nothing is stored. Opening the link shows a
button; only pressing it signs in, so that a program that previews links does not use it up.
"""

from __future__ import annotations

from django.contrib.auth import get_user_model, logout
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.encoding import force_str
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from benchwarmers.people.backend import may_sign_in

BY_LINK = "signed_in_by_link"
"""The session remembers whom a link brought, because that person may choose a password without knowing the old one."""


class SignInTokens(PasswordResetTokenGenerator):
    """Tokens of their own kind: a sign-in link is no password-reset link."""

    key_salt = "benchwarmers.signin_link"


tokens = SignInTokens()


def make_signin_path(user: User) -> str:
    """The path of a link that signs this person in."""
    return f"/sign-in/{urlsafe_base64_encode(str(user.pk).encode())}/{tokens.make_token(user)}/"


def load_person(uidb64: str, token: str) -> User | None:
    """The person whom the link is for; None when it is worn, too old, made up, or for somebody who may not sign in."""
    try:
        user = get_user_model().objects.get(pk=force_str(urlsafe_base64_decode(uidb64)))
    except (get_user_model().DoesNotExist, ValueError, ValidationError):
        return None
    return user if may_sign_in(user) and tokens.check_token(user, token) else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, uidb64: str, token: str) -> HttpResponse:
    """GET shows who would be signed in, POST does it and offers to choose a password; 410 when the link is worn.

    Whoever has a second factor is asked for it here too: the link stands for the password alone.
    """
    user = load_person(uidb64, token)
    if user is None:
        return render(request, "account/sign_in.html", {"person": None}, status=410)
    if request.method == "POST":
        from benchwarmers.people.entrance import let_in  # the commands that print links have no use for it

        if request.user.is_authenticated and request.user != user:
            logout(request)
        request.session[BY_LINK] = user.pk
        return let_in(request, user, by="link", then=reverse("dashboard:password"))
    return render(request, "account/sign_in.html", {"person": user})

"""Decides whom a provider's word lets in: those who are linked, known by their address, invited, or free to sign up."""

from __future__ import annotations

import re
from typing import Any

import requests
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import render
from django.utils import timezone

from benchwarmers.env_sign_in import SignIn
from collections_app.actions.invitation import do_take_invitation
from collections_app.actions.person import RESERVED, do_sign_up
from collections_app.refusal import Refused

INVITED = "invitation"
"""In the session of somebody who went to a provider from an invitation: its token."""
TIMEOUT_S = 10


class NotAdmitted(Exception):
    """The text is a sentence for whoever stands outside."""


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Named by the settings."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Find or make the person, and link them to the provider's account; or stop with a page that says why."""
        if sociallogin.is_existing or sociallogin.state.get("process") == "connect":
            return
        address = next((one.email for one in sociallogin.email_addresses if one.verified), "")
        invitation = request.session.pop(INVITED, None)
        try:
            with transaction.atomic():
                person = admit(settings.BENCH.sign_in, address, sociallogin.user.username, invitation)
                sociallogin.connect(request, person)
        except (NotAdmitted, Refused) as reason:
            shown = {"reason": str(reason), "address": address}
            raise ImmediateHttpResponse(render(request, "account/stranger.html", shown, status=403)) from None

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Whoever comes as far as this was not admitted."""
        return False

    def authenticate_by_email(self, sociallogin: Any) -> None:
        """Not allauth's way: it would take passwords away."""
        return

    def get_requests_session(self) -> requests.Session:
        """Follows no redirects: what a provider answers must come from where the operator said it is."""
        session = _Direct()
        session.max_redirects = 0
        return session


class _Direct(requests.Session):
    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        kwargs.setdefault("timeout", TIMEOUT_S)
        return super().request(*args, **kwargs)


def admit(rules: SignIn, address: str, wished: str, invitation: str | None) -> User:
    """The person whom the provider's account shall sign in. `address` is one that the provider has confirmed, or empty;
    `wished` is the name it knows them by.

    :raises NotAdmitted: nobody knows them.
    :raises Refused: the invitation is worn or for another address.
    """
    alike = User.objects.filter(email__iexact=address) if address else ()
    known = [one for one in alike if same_address(one.email, address)]
    if invitation and not known:
        name = free_name(wished, address)
        return do_take_invitation(token=invitation, username=name, now=timezone.now(), password=None, email=address)
    if known:
        return _known(rules, known)
    if not rules.sign_up:
        raise NotAdmitted("Nobody here knows you yet. Ask an admin of this installation for an invitation.")
    if rules.domains and address.rpartition("@")[2].casefold() not in rules.domains:
        raise NotAdmitted("Only some addresses may sign up here. Ask an admin of this installation for an invitation.")
    return do_sign_up(username=free_name(wished, address), email=address, group=rules.sign_up)


def same_address(one: str, other: str) -> bool:
    """Beyond ASCII a database takes letters for one that a provider takes for two, so that somebody else may have the
    other address."""
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())


def _known(rules: SignIn, known: list[User]) -> User:
    if not rules.match_email:
        raise NotAdmitted(
            "Your address is known here. Sign in as before, and link this provider on your account's page."
        )
    if len(known) > 1:
        raise NotAdmitted("Two accounts have your address. Ask an admin of this installation to set one right.")
    if not known[0].is_active:
        raise NotAdmitted("Your account is closed. Ask an admin of this installation.")
    return known[0]


def free_name(wished: str, address: str) -> str:
    """A name that nobody has: the one wished for, else the address's first half, with a number where it is taken."""
    bare = re.sub(r"[^\w.@+-]+", "-", wished or address.partition("@")[0]).strip("-")[:140] or "person"
    number, name = 1, bare
    while name in RESERVED or User.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"{bare}{number}"
    return name

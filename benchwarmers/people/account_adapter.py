"""How allauth behaves here: no sign-up, no mail, nobody in who may not sign in, and our own words."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from benchwarmers.people.backend import may_sign_in

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 what stands for no address
SAID = {
    "mfa/messages/totp_activated.txt": _("One-time codes are on."),
    "mfa/messages/totp_deactivated.txt": _("One-time codes are off."),
    "mfa/messages/webauthn_added.txt": _("The passkey is added."),
    "mfa/messages/webauthn_removed.txt": _("The passkey is removed."),
    "mfa/messages/recovery_codes_generated.txt": _("You have new recovery codes."),
    "socialaccount/messages/account_connected.txt": _("You can sign in this way from now on."),
    "socialaccount/messages/account_connected_updated.txt": _("You can sign in this way already."),
    "socialaccount/messages/account_connected_other.txt": _("That account signs in somebody else here."),
    "socialaccount/messages/account_disconnected.txt": _("That account no longer signs you in."),
}
"""What is said of allauth's messages. The others are not worth a line."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Named by the settings."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Accounts are made by admins, invitations and providers, never by allauth's own form."""
        return False

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Stop whoever may not sign in, by whichever way they came."""
        return None if may_sign_in(user) else _closed(request)

    def login(self, request: HttpRequest, user: User) -> None:
        """The same at the last moment: between two steps time passes."""
        if not may_sign_in(User.objects.get(pk=user.pk)):
            raise ImmediateHttpResponse(_closed(request))
        super().login(request, user)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return "/"

    def get_client_ip(self, request: HttpRequest) -> str:
        return request.META.get("REMOTE_ADDR") or UNKNOWN_ADDRESS

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Not of people who have nothing to show a second time: they came by a link or a provider."""
        if not self.get_reauthentication_methods(context.request.user):
            return False
        return bool(super().is_reauthentication_required(app=app, **more))

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        if said := message or SAID.get(message_template or ""):
            messages.add_message(request, level, said, extra_tags=extra_tags)


def _closed(request: HttpRequest) -> HttpResponse:
    clear_login(request)
    return render(request, "account/closed.html", status=403)

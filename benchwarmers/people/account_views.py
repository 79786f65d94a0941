"""One's own account on one page: the ways in, the second factors, the sessions."""

from __future__ import annotations

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.socialaccount.internal.flows.connect import disconnect, validate_disconnect
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.answers import tried
from benchwarmers.people.sessions import do_end_sessions, sessions_of
from collections_app.actions.signed_program import live_programs


@require_safe
def account_page(request: PersonRequest) -> HttpResponse:
    """What one has, and the way to change each."""
    factors = list(Authenticator.objects.filter(user=request.user).order_by("created_at"))
    links = {one.provider: one for one in SocialAccount.objects.filter(user=request.user)}
    codes = next((one for one in factors if one.type == Authenticator.Type.RECOVERY_CODES), None)
    context = {
        "totp": next((one for one in factors if one.type == Authenticator.Type.TOTP), None),
        "codes": codes,
        "codes_left": len(codes.wrap().get_unused_codes()) if codes else 0,
        "passkeys": [one for one in factors if one.type == Authenticator.Type.WEBAUTHN],
        "providers": [(one, links.get(one.name)) for one in settings.BENCH.sign_in.providers],
        "sessions": sessions_of(request.user, request.session.session_key),
        "signed_in_programs": live_programs().filter(key__owner=request.user).count(),
        "groups": request.user.groups.all(),
        "teams": request.user.teams.all(),
    }
    return render(request, "account/account.html", context)


@require_POST
def end_session(request: PersonRequest, number: int) -> HttpResponse:
    """End one of one's own sessions."""
    if not UserSession.objects.filter(user=request.user, pk=number).exists():
        raise Http404
    tried(
        request, lambda: do_end_sessions(actor=request.user, user=request.user, number=number), "The session is ended."
    )
    return redirect("people:account")


@require_POST
def end_others(request: PersonRequest) -> HttpResponse:
    """End every session of one's own but this."""
    here = request.session.session_key
    tried(
        request,
        lambda: do_end_sessions(actor=request.user, user=request.user, keep=here),
        "All other sessions are ended.",
    )
    return redirect("people:account")


@require_POST
def unlink(request: PersonRequest, number: int) -> HttpResponse:
    """No longer come in by this provider; refused when there would be no way in left."""
    linked = get_object_or_404(SocialAccount, pk=number, user=request.user)
    raise_if_reauthentication_required(request, app="allauth.socialaccount")
    try:
        validate_disconnect(request, linked)
    except ValidationError:
        messages.error(request, _("Choose a password first: this is your only way in."))
    else:
        disconnect(request, linked)
    return redirect("people:account")

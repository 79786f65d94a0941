"""Where programs change a code for tokens, renew them, and give them back. The library checks and keeps the tokens;
here they take effect."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.idp.oidc.models import Token
from allauth.idp.oidc.views import RevokeView, TokenView
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from benchwarmers.dashboard.throttle import may_happen
from benchwarmers.oauth.places import resources_of
from collections_app.actions.key_rules import digest_of
from collections_app.actions.signed_program import (
    RENEWED,
    do_end_grant,
    do_forget_programs,
    do_renew_program,
    do_sign_in_program,
    live_programs,
)
from collections_app.announce import announce
from collections_app.models import SignedProgram
from collections_app.refusal import Refused

CODE: Final = "authorization_code"
RENEWAL: Final = "refresh_token"
GRACE: Final = timedelta(minutes=1)
"""Two processes of one program may renew at once; whoever brings a spent token later than this has a copy of it."""
A_QUARTER: Final = 600
"""Requests from one address in a quarter of an hour: a secret is costly to check."""


class Tokens(TokenView):  # type: ignore[misc]
    """POST alone."""

    def post(self, request: HttpRequest) -> HttpResponse:
        kind, now = request.POST.get("grant_type", ""), timezone.now()
        if _too_many(request):
            return _refuse("temporarily_unavailable", "Too many requests; try again in a quarter of an hour.", 429)
        if kind not in (CODE, RENEWAL):
            return _refuse("unsupported_grant_type", f"Send grant_type={CODE} or {RENEWAL}.")
        if not resources_of(request).issuperset(request.POST.getlist("resource")):
            return _refuse("invalid_target", "That resource is not this server's.")
        try:
            with transaction.atomic():
                row = _lock(request.POST.get(RENEWAL, "")) if kind == RENEWAL else None
                response: HttpResponse = super().post(request)
                if response.status_code == 200:
                    _take_effect(request, response, row, now)
        except Refused as refusal:
            return _refuse("invalid_grant", str(refusal))
        if response.status_code != 200:
            _look_for_copies(kind, digest_of(request.POST.get("code" if kind == CODE else RENEWAL, "")), now)
        return response


class Revoke(RevokeView):  # type: ignore[misc]
    """RFC 7009. A program that gives back the token it renews by is signed out."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if _too_many(request):
            return _refuse("temporarily_unavailable", "Too many requests; try again in a quarter of an hour.", 429)
        found = Token.objects.filter(hash=digest_of(request.POST.get("token", ""))).first()
        response: HttpResponse = super().post(request, *args, **kwargs)
        if found is not None and not Token.objects.filter(pk=found.pk).exists():
            if found.type == Token.Type.REFRESH_TOKEN:
                do_end_grant(grant=found.get_grant_id() or "", why="signed out by itself", now=timezone.now())
            else:
                announce(RENEWED)
        return response


def _too_many(request: HttpRequest) -> bool:
    return not may_happen("token", request.META.get("REMOTE_ADDR", ""), A_QUARTER)


def _lock(plain: str) -> SignedProgram | None:
    """The program that renews, nobody else's until the transaction ends: of two renewals by one token, one finds it
    spent.

    :raises Refused: it is signed out.
    """
    token = Token.objects.filter(hash=digest_of(plain), type=Token.Type.REFRESH_TOKEN).first()
    if token is None:
        return None
    row = SignedProgram.objects.select_for_update().filter(grant=token.get_grant_id()).first()
    if row is None or not live_programs().filter(pk=row.pk).exists():
        raise Refused([("", "This program is signed out.")])
    return row


def _take_effect(request: HttpRequest, response: HttpResponse, row: SignedProgram | None, now: datetime) -> None:
    """:raises Refused: the person may not ask by now, or has too many programs; nothing is kept then."""
    if row is not None:
        do_renew_program(row=row, spent=digest_of(request.POST[RENEWAL]), now=now)
    else:
        plain = json.loads(response.content)["access_token"]
        token = Token.objects.select_related("user", "client").get(hash=digest_of(plain), type=Token.Type.ACCESS_TOKEN)
        do_sign_in_program(person=token.user, grant=token.get_grant_id(), client=token.client, now=now)
    do_forget_programs(now)


def _look_for_copies(kind: str, digest: str, now: datetime) -> None:
    """A code or a renewing token that was used before is in two hands: nobody may tell which of them is the
    program's, so both are out."""
    if kind == CODE:
        token = Token.objects.filter(hash=digest, type=Token.Type.AUTHORIZATION_CODE).first()
        if token is not None and (token.data or {}).get("reused"):
            do_end_grant(grant=token.get_grant_id() or "", why="its code was used twice", now=now)
        return
    row = live_programs().filter(spent=digest).first()
    if row is not None and row.spent_at is not None and now - row.spent_at > GRACE:
        do_end_grant(grant=row.grant, why="a token was used twice", now=now)


def _refuse(error: str, sentence: str, status: int = 400) -> HttpResponse:
    response = JsonResponse({"error": error, "error_description": sentence}, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response

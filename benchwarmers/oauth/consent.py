"""The page on which somebody lets a program ask in their name. The library keeps the code; who asks, where the answer
goes and what is asked for is judged here first, so that nobody is sent to an address that was not registered."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from allauth.idp.oidc.internal.oauthlib.utils import get_validator_context
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.views import AuthorizationView
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from benchwarmers.csp import COMMON, HEADER
from benchwarmers.oauth.clients import Unknown, check_redirect, find_client
from benchwarmers.oauth.places import base_of, resources_of
from benchwarmers.oauth.redirects import is_on_own_machine, source_for_policy
from collections_app.actions.signed_program import check_may, is_registered
from collections_app.refusal import Refused
from gateway.api.mcp_sign_in import SCOPE

CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""What S256 makes of any verifier."""


class Consent(AuthorizationView):  # type: ignore[misc]
    """GET asks, POST answers. The table of rights has led whoever is not signed in to the sign-in page and back."""

    template_name = "oauth/consent.html"
    client: Client

    def _login_required(self, request: HttpRequest) -> None:
        """The table of rights has seen to it."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.GET
        redirect = asked.get("redirect_uri", "")
        try:
            self._know(asked.get("client_id", ""), redirect)
        except Unknown as unknown:
            return render(request, "oauth/unknown.html", {"why": str(unknown)}, status=400)
        if (error := _wrong(asked, resources_of(request))) is not None:
            return self._back(redirect, error | _state(asked))
        response: HttpResponse = super().get(request, *args, **kwargs)
        if response.status_code == 302:
            return self._named(response)
        if hasattr(self, "_request_info"):
            leads = f"form-action 'self' {source_for_policy(redirect)}"
            response.headers[HEADER] = COMMON.replace("form-action 'self'", leads)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "request" not in request.POST:
            return render(request, "oauth/unknown.html", {"why": _("Begin in the program.")}, status=400)
        response: HttpResponse = super().post(request, *args, **kwargs)
        return self._named(response)

    def form_valid(self, form: Any) -> HttpResponse:
        """What was shown is judged again: the program may be gone meanwhile, or the person's right."""
        info = self._request_info
        try:
            self._know(info["client_id"], info["redirect_uri"])
            check_may(self.request.user)
        except Unknown as unknown:
            return render(self.request, "oauth/unknown.html", {"why": str(unknown)}, status=400)
        except Refused:
            denied: HttpResponse = self._respond_with_access_denied()
            return denied
        response: HttpResponse = super().form_valid(form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        redirect = self._request_info["redirect_uri"]
        try:
            check_may(self.request.user)
            why_not = ""
        except Refused as refusal:
            why_not = str(refusal)
        return {
            **super().get_context_data(**kwargs),
            "documented_at": "" if is_registered(self.client.pk) else urlsplit(self.client.pk).hostname,
            "leads_to": urlsplit(redirect).netloc or redirect,
            "on_own_machine": is_on_own_machine(redirect),
            "why_not": why_not,
        }

    def _know(self, client_id: str, redirect: str) -> None:
        """Whose request it is, for us and for the library, which is told of this one address only.

        :raises Unknown: no such program, or not its address.
        """
        self.client = find_client(client_id, self.request.user)
        check_redirect(self.client, redirect)
        self.client.set_redirect_uris([redirect])
        get_validator_context().clients[client_id] = self.client

    def _back(self, redirect: str, told: dict[str, str]) -> HttpResponse:
        response = HttpResponse(status=302)
        response.headers["Location"] = _with(redirect, told)
        return self._named(response)

    def _named(self, response: HttpResponse) -> HttpResponse:
        """Who answers (RFC 9207), so that a program that uses several servers cannot mix them up."""
        if response.status_code == 302:
            response.headers["Location"] = _with(response.headers["Location"], {"iss": base_of(self.request)})
            response.headers["Referrer-Policy"] = "no-referrer"
        return response


def _wrong(asked: QueryDict, resources: frozenset[str]) -> dict[str, str] | None:
    """What is wrong with a request of a program that is known, as OAuth says it."""
    if asked.get("response_type") != "code":
        return _error("unsupported_response_type", "Only response_type=code is served.")
    if asked.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(asked.get("code_challenge", "")):
        return _error("invalid_request", "Send a code_challenge with code_challenge_method=S256.")
    if not set(asked.get("scope", "").split()) <= {SCOPE}:
        return _error("invalid_scope", f"The one scope is {SCOPE}.")
    if not resources.issuperset(asked.getlist("resource")):
        return _error("invalid_target", "That resource is not this server's.")
    return None


def _error(error: str, sentence: str) -> dict[str, str]:
    return {"error": error, "error_description": sentence}


def _state(asked: QueryDict) -> dict[str, str]:
    return {"state": asked.get("state", "")} if "state" in asked else {}


def _with(address: str, told: dict[str, str]) -> str:
    parts = urlsplit(address)
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *told.items()])
    return urlunsplit(parts._replace(query=query))

"""A program that is signed in by OAuth, and the person's part of it in a browser."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.test import Client
from django.utils import timezone

from gateway.api.credentials import Credential, identify, identify_signed
from gateway.canon.fault import Fault
from gateway.engine.loading import load_snapshot

BASE = "http://testserver"
BACK = "http://127.0.0.1:4711/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
METADATA = {
    "client_name": "Scribe",
    "redirect_uris": [BACK],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


@dataclass
class Program:
    """One that registered. `person` is the browser of whoever it asks."""

    person: Client
    id: str = ""
    secret: str = ""

    def register(self, **changes: Any) -> Any:
        """The answer; keeps the id."""
        answer = Client().post("/oauth/register", json.dumps(METADATA | changes), content_type="application/json")
        told = answer.json()
        self.id, self.secret = told.get("client_id", ""), told.get("client_secret", "")
        return answer

    def link(self, **changes: str | list[str] | None) -> str:
        """The address that it opens in the browser; None leaves a parameter out."""
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": BACK,
            "state": "s-1",
            "scope": "bench",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": f"{BASE}/mcp",
            **changes,
        }
        left = {name: value for name, value in asked.items() if value is not None}
        return f"/oauth/authorize?{urlencode(left, doseq=True)}"

    def consent(self, action: str = "grant", **changes: Any) -> dict[str, str]:
        """What comes back to the program after the person pressed a button."""
        link = self.link(**changes)
        page = self.person.get(link)
        assert page.status_code == 200, page.content
        (signed,) = re.findall(r'name="request" value="([^"]+)"', page.content.decode())
        answer = self.person.post(link, {"request": signed, "scopes": "bench", "action": action})
        assert answer.status_code == 302, answer.content
        return told_by(answer["Location"])

    def ask_tokens(self, **fields: Any) -> Any:
        """The answer of the token route."""
        left = {name: value for name, value in ({"client_id": self.id} | fields).items() if value is not None}
        return Client().post("/oauth/token", left)

    def exchange(self, code: str, **changes: Any) -> Any:
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": VERIFIER}
        return self.ask_tokens(**{**fields, "resource": f"{BASE}/mcp", **changes})

    def renew(self, token: str, **changes: Any) -> Any:
        return self.ask_tokens(grant_type="refresh_token", refresh_token=token, **changes)

    def sign_in(self) -> dict[str, Any]:
        """All of it; the tokens."""
        if not self.id:
            self.register()
        answer = self.exchange(self.consent()["code"])
        assert answer.status_code == 200, answer.content
        tokens: dict[str, Any] = answer.json()
        return tokens


def told_by(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return dict(parse_qsl(urlsplit(address).query))


def opened_by(secret: str, *, inside: bool = True) -> str:
    """The name of the key that a token opens; the sentence that refuses it, where it opens none."""
    snapshot, now = load_snapshot(), timezone.now().timestamp()
    if inside:
        who = identify_signed(Credential(secret), snapshot, now, True)
    else:
        who = identify(Credential(secret), snapshot.keys, now, True)
    return who.message if isinstance(who, Fault) else who.name

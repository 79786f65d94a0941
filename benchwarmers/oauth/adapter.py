"""How the library behaves here when programs register. Named by the settings."""

from __future__ import annotations

import secrets
from typing import Any

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client

from benchwarmers.oauth.clients import settle


class ProgramAdapter(DefaultOIDCAdapter):  # type: ignore[misc]
    """Takes of a registration what `settle` leaves of it."""

    def generate_client_secret(self) -> str:
        """Of letters that mean the same with and without percent-encoding: the library does not decode them in a Basic
        header, and programs encode them as they should."""
        return secrets.token_urlsafe(32)

    def validate_client_registration(self, *, client: Client, **more: Any) -> None:
        settle(client)
        client.data = None

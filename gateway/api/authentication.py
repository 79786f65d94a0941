"""Takes the gateway key of a Django request. Decides nothing itself: `credentials.identify` does."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from gateway.api.credentials import INSIDE, choose_credential, identify, identify_signed, read_query_key
from gateway.api.errors import REALM
from gateway.api.known import KNOWN
from gateway.canon.fault import Fault


class KeyAuthentication(BaseAuthentication):
    """Takes the gateway key. `request.user` is then the Caller and `request.auth` the Snapshot it was found in."""

    def authenticate(self, request: Request) -> tuple[Any, Any]:
        """Raises the fault of a key that is refused, never lets anybody through unnamed."""
        headers = request.headers
        credential = choose_credential(
            headers.get("authorization"),
            headers.get("x-api-key"),
            headers.get("x-goog-api-key"),
            read_query_key(request.path, request.META.get("QUERY_STRING", "").encode()),
        )
        snapshot = KNOWN.current()
        now, asked = time.time(), settings.BENCH.require_keys
        who = identify(credential, snapshot.keys, now, asked)
        if isinstance(who, Fault) and INSIDE in getattr(request._request, "scope", ()):
            who = identify_signed(credential, snapshot, now, asked)
        if isinstance(who, Fault):
            raise who
        return who, snapshot

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return REALM

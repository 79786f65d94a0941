"""Which tokens of signed-in programs open what. Sync; read with the snapshot."""

from __future__ import annotations

from collections import defaultdict

from allauth.idp.oidc.models import Token
from django.utils import timezone


def load_access() -> dict[str, list[tuple[str, float]]]:
    """By consent: the SHA-256 digests of the tokens that were given for it and live, each with when it is over, in
    epoch seconds. One query."""
    tokens = Token.objects.filter(type=Token.Type.ACCESS_TOKEN, expires_at__gt=timezone.now())
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for digest, over, data in tokens.values_list("hash", "expires_at", "data"):
        found[(data or {}).get("grant_id", "")].append((digest, over.timestamp()))
    return found

"""Which gateway key a request carries, and whose it is.

Pure. Of the four places a key may ride in, the first that is present is judged and the others are not looked at, so
that a wrong key is never covered up by a right one. Never logs, never returns a secret in a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal
from urllib.parse import parse_qsl

from msgspec import Struct

from gateway.api.zones import zone_of
from gateway.canon.fault import Forbidden, Unauthenticated
from gateway.engine.snapshot import Caller, KeyView, Snapshot

LOCAL = Caller("local")
KEY_PREFIX = "bwk_"
INSIDE = "benchwarmers.inside"
"""Marks in an ASGI scope a request that a tool of the context protocol makes, for the program that called it."""
_HEADERS = (b"authorization", b"x-api-key", b"x-goog-api-key")


class Credential(Struct, frozen=True):
    """The secret that came, or what is wrong: nothing sent, an Authorization that is no Bearer, or an empty value."""

    secret: str = ""
    problem: Literal["", "none", "not bearer", "empty"] = ""

    def __repr__(self) -> str:
        return f"Credential(problem={self.problem!r})"


NO_CREDENTIAL = Credential(problem="none")


def read_credential(path: str, headers: Iterable[tuple[bytes, bytes]], query: bytes) -> Credential:
    """The credential of an ASGI request: `headers` as (lower-case name, value), `query` the raw query string."""
    found: dict[bytes, str] = {}
    for name, value in headers:
        if name in _HEADERS:
            found.setdefault(name, value.decode("latin-1"))
    return choose_credential(
        found.get(b"authorization"), found.get(b"x-api-key"), found.get(b"x-goog-api-key"), read_query_key(path, query)
    )


def read_query_key(path: str, query: bytes) -> str | None:
    """The `key` of the query string, on the routes where Gemini's clients put it; None elsewhere or when absent."""
    if not query or not zone_of(path).query_key:
        return None
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return next((value for name, value in pairs if name == "key"), None)


def choose_credential(
    authorization: str | None, x_api_key: str | None, x_goog_api_key: str | None, query_key: str | None
) -> Credential:
    """The first of the four that is present (not None), judged alone."""
    if authorization is not None:
        return _bearer(authorization)
    for value in (x_api_key, x_goog_api_key, query_key):
        if value is not None:
            return _plain(value)
    return NO_CREDENTIAL


def identify(
    credential: Credential, keys: Mapping[str, KeyView], now: float, require_keys: bool
) -> Caller | Unauthenticated | Forbidden:
    """Who asks. `keys` maps the SHA-256 hex digests of a key to it; `now` is epoch seconds. Without `require_keys`
    everybody is `local`, whatever was sent."""
    if not require_keys:
        return LOCAL
    if credential.problem:
        return Unauthenticated(_PROBLEMS[credential.problem])
    # A lookup by digest leaks nothing useful through its timing: nobody can aim a digest at a stored one.
    digest = sha256(credential.secret.encode()).hexdigest()
    key = keys.get(digest)
    if key is None:
        return Unauthenticated(_unknown(credential.secret))
    if not key.opens(digest, now):
        return Unauthenticated(
            f"The gateway key {key.name!r} was rotated, and this is its old secret; use the new one."
        )
    return admit_key(key, now)


def identify_signed(
    credential: Credential, snapshot: Snapshot, now: float, require_keys: bool
) -> Caller | Unauthenticated | Forbidden:
    """The same where the tokens of signed-in programs open too: on the context protocol and what its tools ask."""
    signed = snapshot.signed and sha256(credential.secret.encode()).hexdigest() in snapshot.signed
    return identify(credential, snapshot.signed if signed else snapshot.keys, now, require_keys)


def admit_key(key: KeyView, now: float) -> Caller | Unauthenticated | Forbidden:
    """Who asks with this key, whatever opened it."""
    if key.expires_at is not None and key.expires_at <= now:
        return Unauthenticated(f"The gateway key {key.name!r} has expired; have it renewed or use another.")
    if not key.may_ask:
        return Forbidden(
            f"The gateway key {key.name!r} belongs to {key.owner_name}, who may not ask; an admin can change that: put "
            "them into the group caller.",
            code="owner_may_not_ask",
        )
    return Caller(key.name, key.id, key.owner_id, key.scope, key.rpm, key.tpm, key.team_id, key.budgets, key.withheld)


_PROBLEMS = {
    "none": "No gateway key was sent; send Authorization: Bearer bwk_…, or x-api-key or x-goog-api-key with the key.",
    "not bearer": "The Authorization header is not a Bearer token; send Authorization: Bearer bwk_….",
    "empty": "The gateway key that was sent is empty; put a key that begins with bwk_ there.",
}


def _unknown(secret: str) -> str:
    message = "The gateway key is unknown or revoked; use one that this server's operator gave you."
    if secret.startswith(KEY_PREFIX):
        return message
    return f"{message} It does not begin with {KEY_PREFIX}, so it looks like some other service's key."


def _bearer(authorization: str) -> Credential:
    scheme, _, token = authorization.strip().partition(" ")
    if not scheme:
        return Credential(problem="empty")
    if scheme.lower() != "bearer":
        return Credential(problem="not bearer")
    return _plain(token)


def _plain(value: str) -> Credential:
    secret = value.strip()
    return Credential(secret) if secret else Credential(problem="empty")
